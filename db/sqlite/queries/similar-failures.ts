import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import { type FailureRow, MOST_FAILURES, similarFailures } from "../../queries/similar-failures.ts";
import type { SimilarFailures } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** The histories of forks repeat failures: they have positions below 0. The index has failures only. */
const ROWS = `SELECT ${EVENT_COLUMNS.replace(/\w+/gu, "events.$&")},
    coalesce(conversations.title, conversations.summary ->> '$.subject') AS called
  FROM events INDEXED BY failures JOIN conversations ON conversations.id = events.conversation_id
  WHERE events.error = 1 AND events.type = ? AND events.tool IS ? AND events.position > 0
  ORDER BY events.position DESC LIMIT ${MOST_FAILURES}`;

/** Failures of the same kind as that of a step. Null: there is no such step, or it records no failure. */
export function readSimilarFailures(
  connection: Connection,
  conversationId: string,
  seq: number,
): SimilarFailures | null {
  const row = connection
    .prepare<[string, number], EventRow & { tool: string | null }>(
      `SELECT ${EVENT_COLUMNS}, tool FROM events WHERE conversation_id = ? AND seq = ?`,
    )
    .get(conversationId, seq);
  if (!row) return null;
  const rows = connection.prepare<[string, string | null], FailureRow>(ROWS).iterate(row.type, row.tool);
  return similarFailures(toEvent(row), rows);
}
