import { EVENT_COLUMNS } from "../../log/event-row.ts";
import { type FailureRow, MOST_FAILURES, similarFailures, withEarliest } from "../../queries/similar-failures.ts";
import type { SimilarFailures } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { jsonIn } from "./json-text.ts";

const CALLED = `coalesce(conversations.title, ${jsonIn("conversations.summary")} ->> 'subject')`;

/** The histories of forks repeat failures: they have positions below 0. */
const FAILURES = `SELECT ${EVENT_COLUMNS.replace(/\w+/gu, "events.$&")},
    ${CALLED} AS called
  FROM events JOIN conversations ON conversations.id = events.conversation_id
  WHERE events.error = 1 AND events.type = $1 AND events.tool IS NOT DISTINCT FROM $2 AND events.position > 0
  ORDER BY events.position`;
const NEWEST = `${FAILURES} DESC LIMIT ${MOST_FAILURES}`;
const OLDEST = `${FAILURES} LIMIT ${MOST_FAILURES}`;

/** Failures of the same kind as that of a step. Null: there is no such step, or it records no failure. */
export async function readSimilarFailures(
  queries: Queries,
  conversationId: string,
  seq: number,
): Promise<SimilarFailures | null> {
  const [row] = await queries.rows<FailureRow & { tool: string | null }>(
    `SELECT ${EVENT_COLUMNS.replace(/\w+/gu, "events.$&")}, tool, ${CALLED} AS called
     FROM events JOIN conversations ON conversations.id = events.conversation_id
     WHERE events.conversation_id = $1 AND seq = $2`,
    [conversationId, seq],
  );
  if (!row) return null;
  const { tool, ...asked } = row;
  const found = similarFailures(asked, await queries.rows<FailureRow>(NEWEST, [asked.type, tool]));
  return found?.cut ? withEarliest(found, asked, await queries.rows<FailureRow>(OLDEST, [asked.type, tool])) : found;
}
