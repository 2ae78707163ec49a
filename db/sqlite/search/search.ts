import { hitIn, mayGoOn, type SearchHit, searchWordsOf } from "../../../lib/session/find/search-hit.ts";
import { type Sql, sql } from "../../queries/sql.ts";
import type { ConversationPage, ConversationQuery } from "../../repositories.ts";
import { CONVERSATION_OF_PLACE, stepOf, WITHIN_CONVERSATION } from "../../search/search-place.ts";
import type { Connection } from "../connection.ts";
import { listConversations } from "../queries/conversations.ts";
import { countUnsearched } from "./unsearched.ts";

/**
 * Up to this many matches are looked up individually. For more, the list is scanned from its top until the page is
 * full: for 20,000 matches that takes 11 ms, and sorting all their conversations 60.
 */
const FEW_HITS = 5_000;

/**
 * Conversations that match `q` (E14): in a message or another event, in the title, or by id. Each has its newest
 * matching message, or its newest matching event if no message matches.
 */
export function searchConversations(connection: Connection, query: ConversationQuery): ConversationPage {
  const behind = countUnsearched(connection);
  const words = searchWordsOf(query.q ?? "");
  const match = matchOf(words);
  const page = match === null ? { items: [], next: null, prev: null } : find(connection, query, words, match);
  return behind > 0 ? { ...page, behind } : page;
}

function find(
  connection: Connection,
  query: ConversationQuery,
  words: readonly string[],
  match: string,
): ConversationPage {
  const page = listConversations(connection, query, isFound(match, hasFewHits(connection, match)));
  const steps = newestSteps(
    connection,
    match,
    page.items.map(({ id }) => id),
  );
  const read = prepareHit(connection);
  const items = page.items.map((conversation) => {
    const seq = steps.get(conversation.id);
    return seq === undefined ? conversation : { ...conversation, hit: read(conversation.id, seq, words) };
  });
  return { ...page, items };
}

/**
 * The input as an FTS5 query: all words, each quoted so that nothing in it is syntax, the last one as a prefix because
 * it may be incomplete. Null if it has no words.
 */
function matchOf(words: readonly string[]): string | null {
  const last = words.at(-1);
  if (last === undefined) return null;
  return `${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" ")}${mayGoOn(last) ? "*" : ""}`;
}

function hasFewHits(connection: Connection, match: string): boolean {
  const counted = connection
    .prepare<[string, string], number>(
      `SELECT count(*) FROM (
         SELECT rowid FROM event_search WHERE event_search MATCH ?
         UNION ALL SELECT rowid FROM conversation_search WHERE conversation_search MATCH ? LIMIT ${FEW_HITS + 1})`,
    )
    .pluck()
    .get(match, match);
  return (counted ?? 0) <= FEW_HITS;
}

/** Starts at the matches if they are few; otherwise at the list, for which the unary plus disables the index. */
function isFound(match: string, isFew: boolean): Sql {
  const position: Sql = { text: isFew ? "position" : "+position", values: [] };
  const place: Sql = { text: CONVERSATION_OF_PLACE, values: [] };
  return sql`${position} IN (SELECT ${place} FROM event_search WHERE event_search MATCH ${match})
    OR ${position} IN (SELECT rowid FROM conversation_search WHERE conversation_search MATCH ${match})`;
}

/** The matching step of each conversation on the page, by id. */
function newestSteps(connection: Connection, match: string, ids: readonly string[]): Map<string, number> {
  const rows = connection
    .prepare<[string, string], { id: string; within: number }>(
      `SELECT conversations.id, found.within FROM (
         SELECT ${CONVERSATION_OF_PLACE} AS position, max(${WITHIN_CONVERSATION}) AS within FROM event_search
         WHERE event_search MATCH ? AND position IN (
           SELECT position FROM conversations WHERE id IN (SELECT value FROM json_each(?)))
         GROUP BY 1) AS found
       JOIN conversations ON conversations.position = found.position`,
    )
    .all(match, JSON.stringify(ids));
  return new Map(rows.map(({ id, within }) => [id, stepOf(within)]));
}

function prepareHit(connection: Connection) {
  const event = connection.prepare<[string, number], { type: string; payload: string }>(
    "SELECT type, payload FROM events WHERE conversation_id = ? AND seq = ?",
  );
  return (conversationId: string, seq: number, words: readonly string[]): SearchHit => {
    const row = event.get(conversationId, seq);
    if (!row) throw new Error(`The search found step ${seq} of ${conversationId}, which is not in the log`);
    return hitIn({ seq, type: row.type, payload: JSON.parse(row.payload) }, words);
  };
}
