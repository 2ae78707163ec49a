import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import { type FailureRow, MOST_FAILURES, similarFailures } from "../../queries/similar-failures.ts";
import type { SimilarFailures } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { jsonIn } from "./json-text.ts";

/** The histories of forks repeat failures: they have positions below 0. */
const ROWS = `SELECT ${EVENT_COLUMNS.replace(/\w+/gu, "events.$&")},
    coalesce(conversations.title, ${jsonIn("conversations.summary")} ->> 'subject') AS called
  FROM events JOIN conversations ON conversations.id = events.conversation_id
  WHERE events.error = 1 AND events.type = $1 AND events.tool IS NOT DISTINCT FROM $2 AND events.position > 0
  ORDER BY events.position DESC LIMIT ${MOST_FAILURES}`;

/** Failures of the same kind as that of a step. Null: there is no such step, or it records no failure. */
export async function readSimilarFailures(
  queries: Queries,
  conversationId: string,
  seq: number,
): Promise<SimilarFailures | null> {
  const [row] = await queries.rows<EventRow & { tool: string | null }>(
    `SELECT ${EVENT_COLUMNS}, tool FROM events WHERE conversation_id = $1 AND seq = $2`,
    [conversationId, seq],
  );
  return row ? similarFailures(toEvent(row), await queries.rows<FailureRow>(ROWS, [row.type, row.tool])) : null;
}
