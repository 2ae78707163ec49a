import { EVENT_COLUMNS } from "../../log/event-row.ts";
import { type FailureRow, MOST_FAILURES, similarFailures, withEarliest } from "../../queries/similar-failures.ts";
import type { SimilarFailures } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

const CALLED = "coalesce(conversations.title, conversations.summary ->> '$.subject')";

/** The histories of forks repeat failures: they have positions below 0. The index has failures only. */
const FAILURES = `SELECT ${EVENT_COLUMNS.replace(/\w+/gu, "events.$&")},
    ${CALLED} AS called
  FROM events INDEXED BY failures JOIN conversations ON conversations.id = events.conversation_id
  WHERE events.error = 1 AND events.type = ? AND events.tool IS ? AND events.position > 0 ORDER BY events.position`;
const NEWEST = `${FAILURES} DESC LIMIT ${MOST_FAILURES}`;
const OLDEST = `${FAILURES} LIMIT ${MOST_FAILURES}`;

/** Failures of the same kind as that of a step. Null: there is no such step, or it records no failure. */
export function readSimilarFailures(
  connection: Connection,
  conversationId: string,
  seq: number,
): SimilarFailures | null {
  const row = connection
    .prepare<[string, number], FailureRow & { tool: string | null }>(
      `SELECT ${EVENT_COLUMNS.replace(/\w+/gu, "events.$&")}, tool, ${CALLED} AS called
       FROM events JOIN conversations ON conversations.id = events.conversation_id
       WHERE events.conversation_id = ? AND seq = ?`,
    )
    .get(conversationId, seq);
  if (!row) return null;
  const { tool, ...asked } = row;
  const among = (query: string) =>
    connection.prepare<[string, string | null], FailureRow>(query).iterate(asked.type, tool);
  const found = similarFailures(asked, among(NEWEST));
  return found?.cut ? withEarliest(found, asked, among(OLDEST)) : found;
}
