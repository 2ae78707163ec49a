import type { Conversation, ConversationQuery, Page } from "../repositories.ts";
import type { Connection } from "./connection.ts";
import { listConversations } from "./conversations.ts";
import { type Sql, sql } from "./sql.ts";

/** Conversations that `q` finds: in a message, in the title, or by id. Each tells the newest message it was found in. */
export function searchConversations(connection: Connection, query: ConversationQuery): Page<Conversation> {
  const match = matchOf(query.q ?? "");
  if (match === null) return { items: [], next: null, prev: null };
  const page = listConversations(connection, query, isFound(match));
  const hits = newestHits(
    connection,
    match,
    page.items.map(({ id }) => id),
  );
  const items = page.items.map((conversation) => {
    const hit = hits.get(conversation.id);
    if (!hit) return conversation;
    const parts = partsOf(snippetOf(connection, match, hit.position));
    return { ...conversation, hit: { seq: hit.seq, role: hit.role, parts } };
  });
  return { ...page, items };
}

/**
 * What a person typed, as an FTS5 query: all of its words, each quoted so that nothing in it is syntax, the last as a
 * beginning because it may be half typed. Null when there is no word in it.
 */
export function matchOf(typed: string): string | null {
  const words = typed.split(/[\s\0]+/u).filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
  if (words.length === 0) return null;
  return `${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" ")}*`;
}

function isFound(match: string): Sql {
  return sql`id IN (
      SELECT conversation_id FROM message_search JOIN messages ON messages.position = message_search.rowid
      WHERE message_search MATCH ${match})
    OR position IN (SELECT rowid FROM conversation_search WHERE conversation_search MATCH ${match})`;
}

// Marks that no text contains: Unicode sets these two aside for a program's own use.
const MARK = "\uFDD0";
const END = "\uFDD1";
const SNIPPET_WORDS = 24;

interface Hit {
  conversation_id: string;
  position: number;
  seq: number;
  role: string;
}

/** The newest message that matches, of each of the conversations, in one pass over all that match. */
function newestHits(connection: Connection, match: string, ids: string[]): Map<string, Hit> {
  const hits = connection
    .prepare<[string, string], Hit>(
      `SELECT conversation_id, max(position) AS position, seq, role
       FROM message_search JOIN messages ON messages.position = message_search.rowid
       WHERE message_search MATCH ? AND conversation_id IN (SELECT value FROM json_each(?)) GROUP BY conversation_id`,
    )
    .all(match, JSON.stringify(ids));
  return new Map(hits.map((hit) => [hit.conversation_id, hit]));
}

// Numbers arrive at SQLite as floating point, and FTS5 takes no notice of a rowid that is not an integer.
function snippetOf(connection: Connection, match: string, position: number): string {
  const snippet = connection
    .prepare<[string, number], string>(
      `SELECT snippet(message_search, 0, '${MARK}', '${END}', '…', ${SNIPPET_WORDS}) FROM message_search
       WHERE message_search MATCH ? AND rowid = CAST(? AS INTEGER)`,
    )
    .pluck()
    .get(match, position);
  if (snippet === undefined) throw new Error(`The search found message ${position} and lost it again`);
  return snippet;
}

function partsOf(snippet: string): { text: string; marked: boolean }[] {
  return snippet
    .replace(/\s+/gu, " ")
    .split(MARK)
    .flatMap((part, index) => {
      if (index === 0) return [{ text: part, marked: false }];
      const [marked = "", rest = ""] = part.split(END);
      return [
        { text: marked, marked: true },
        { text: rest, marked: false },
      ];
    })
    .filter((part) => part.text !== "");
}
