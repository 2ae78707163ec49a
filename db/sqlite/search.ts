import type { Conversation, ConversationQuery, Page } from "../repositories.ts";
import type { Connection } from "./connection.ts";
import { listConversations } from "./conversations.ts";
import { type Sql, sql } from "./sql.ts";

/**
 * Up to so many hits are looked up one by one. Of a word that more have, the list is gone through from its top instead,
 * until the page is full: a word of 40,000 messages takes 8 ms by that and 90 by the other way, one of two messages 150
 * and less than one.
 */
const FEW_HITS = 5_000;

/** Conversations that `q` finds: in a message, in the title, or by id. Each tells the newest message it was found in. */
export function searchConversations(connection: Connection, query: ConversationQuery): Page<Conversation> {
  const match = matchOf(query.q ?? "");
  if (match === null) return { items: [], next: null, prev: null };
  const isFound = hasFewHits(connection, match) ? isAmongHits(match) : hasHit(match);
  const page = listConversations(connection, query, isFound);
  const ids = page.items.map(({ id }) => id);
  const hits = newestHits(connection, match, ids);
  const snippets = readSnippets(connection, match, [...hits.values()]);
  const items = page.items.map((conversation) => {
    const hit = hits.get(conversation.id);
    if (!hit) return conversation;
    const snippet = snippets.get(hit.position);
    if (snippet === undefined) throw new Error(`The search found message ${hit.position} and lost it again`);
    return { ...conversation, hit: { seq: hit.seq, role: hit.role, parts: partsOf(snippet) } };
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

function hasFewHits(connection: Connection, match: string): boolean {
  const counted = connection
    .prepare<[string, string], number>(
      `SELECT count(*) FROM (
         SELECT rowid FROM message_search WHERE message_search MATCH ?
         UNION ALL SELECT rowid FROM conversation_search WHERE conversation_search MATCH ? LIMIT ${FEW_HITS + 1})`,
    )
    .pluck()
    .get(match, match);
  return (counted ?? 0) <= FEW_HITS;
}

/** Lets SQLite begin at the hits. */
function isAmongHits(match: string): Sql {
  return sql`id IN (
      SELECT conversation_id FROM message_search JOIN messages ON messages.position = message_search.rowid
      WHERE message_search MATCH ${match})
    OR position IN (SELECT rowid FROM conversation_search WHERE conversation_search MATCH ${match})`;
}

/** Lets SQLite begin at the list: the plus keeps it from the other way. No message is read, only where it is. */
function hasHit(match: string): Sql {
  return sql`EXISTS (
      SELECT 1 FROM messages WHERE messages.conversation_id = conversations.id
        AND +messages.position IN (SELECT rowid FROM message_search WHERE message_search MATCH ${match}))
    OR +position IN (SELECT rowid FROM conversation_search WHERE conversation_search MATCH ${match})`;
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

/** The newest message that matches, of each of the conversations. */
function newestHits(connection: Connection, match: string, ids: string[]): Map<string, Hit> {
  const hits = connection
    .prepare<[string, string], Hit>(
      `SELECT conversation_id, max(position) AS position, seq, role FROM messages
       WHERE conversation_id IN (SELECT value FROM json_each(?))
         AND +position IN (SELECT rowid FROM message_search WHERE message_search MATCH ?) GROUP BY conversation_id`,
    )
    .all(JSON.stringify(ids), match);
  return new Map(hits.map((hit) => [hit.conversation_id, hit]));
}

/** The words about each hit, by position, in one pass over all that match: looked up one by one, 50 took up to 200 ms. */
function readSnippets(connection: Connection, match: string, hits: readonly Hit[]): Map<number, string> {
  const snippets = connection
    .prepare<[string, string], { position: number; snippet: string }>(
      `SELECT rowid AS position, snippet(message_search, 0, '${MARK}', '${END}', '…', ${SNIPPET_WORDS}) AS snippet
       FROM message_search WHERE message_search MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
    )
    .all(match, JSON.stringify(hits.map(({ position }) => position)));
  return new Map(snippets.map(({ position, snippet }) => [position, snippet]));
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
