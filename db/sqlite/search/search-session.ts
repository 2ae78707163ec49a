import { FIND_TYPES, type FindWhere, type Found, findInEvent } from "../../../lib/session/find/find-in-event.ts";
import { wordsOf } from "../../../lib/session/find/find-words.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { SessionSearch } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** Steps that are looked through at a time. */
const STRIDE = 2_000;

/**
 * How much of a log one answer looks through, in steps and in bytes of payload: SQLite goes through 28 MB in 70 to 200 ms on two
 * cores, of which others had their share. What is left is asked for with `next`, so that no session is too long and no reader thread is held up.
 */
const MOST_STEPS = 50_000;
const MOST_BYTES = 16_000_000;

interface Row {
  seq: number;
  type: string;
  run_id: string | null;
  call_id: string | null;
  payload: string;
}

/**
 * Looks for words in the payloads of a session, newest step first, before a step. There is no index for it: it would cost
 * each event that arrives more than all else that is stored of it. Null: no such conversation.
 */
export function searchSession(
  connection: Connection,
  conversationId: string,
  query: { q: string; where?: FindWhere; before?: number; limit: number },
): SessionSearch | null {
  const last = lastSeq(connection, conversationId);
  if (last === null) return null;
  const words = wordsOf(query.q);
  const items: Found[] = [];
  let from = Math.min(query.before ?? last + 1, last + 1);
  if (words.length === 0) return { items, from: 1, next: null };
  const wanted = and(isOfWhere(query.where), ...words.map(hasWord));
  const budget = { steps: MOST_STEPS, bytes: MOST_BYTES };
  while (from > 1 && budget.steps > 0 && budget.bytes > 0) {
    const to = from;
    from = Math.max(1, to - STRIDE);
    for (const row of rowsBetween(connection, conversationId, { from, to, wanted })) {
      const found = findInEvent({ type: row.type, payload: JSON.parse(row.payload) }, words);
      if (!found) continue;
      items.push({ seq: row.seq, type: row.type, run_id: row.run_id, call_id: row.call_id, ...found });
      if (items.length === query.limit) return { items, from: row.seq, next: row.seq > 1 ? String(row.seq) : null };
    }
    budget.steps -= to - from;
    budget.bytes -= bytesBetween(connection, conversationId, from, to);
  }
  return { items, from, next: from > 1 ? String(from) : null };
}

function lastSeq(connection: Connection, conversationId: string): number | null {
  if (!connection.prepare("SELECT 1 FROM conversations WHERE id = ?").get(conversationId)) return null;
  return (
    connection
      .prepare<[string], number | null>("SELECT max(seq) FROM events WHERE conversation_id = ?")
      .pluck()
      .get(conversationId) ?? null
  );
}

function rowsBetween(
  connection: Connection,
  conversationId: string,
  { from, to, wanted }: { from: number; to: number; wanted: Sql },
): IterableIterator<Row> {
  const { text, values } = sql`SELECT seq, type, run_id, call_id, payload FROM events
    WHERE conversation_id = ${conversationId} AND seq >= ${from} AND seq < ${to} AND ${wanted} ORDER BY seq DESC`;
  return connection.prepare<unknown[], Row>(text).iterate(...values);
}

function bytesBetween(connection: Connection, conversationId: string, from: number, to: number): number {
  return (
    connection
      .prepare<[string, number, number], number>(
        "SELECT total(octet_length(payload)) FROM events WHERE conversation_id = ? AND seq >= ? AND seq < ?",
      )
      .pluck()
      .get(conversationId, from, to) ?? 0
  );
}

function isOfWhere(where: FindWhere | undefined): Sql | null {
  const list = (types: readonly string[]) => JSON.stringify(types);
  switch (where) {
    case undefined:
      return null;
    case "message":
    case "state":
      return sql`type IN (SELECT value FROM json_each(${list(FIND_TYPES[where])}))`;
    case "event":
      return sql`type NOT IN (SELECT value FROM json_each(${list(Object.values(FIND_TYPES).flat())}))`;
    default:
      return where satisfies never;
  }
}

/**
 * Whether a payload's JSON has a word at all: quick, and with more hits than there are. LIKE knows the case of English
 * letters alone; other words are looked for as they were typed, in small letters, in capitals, and with a capital first.
 */
function hasWord(word: string): Sql {
  // As JSON writes it within a text.
  const written = JSON.stringify(word).slice(1, -1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant
  if (/^[\x00-\x7f]*$/.test(written)) {
    const pattern = `%${written.replace(/[%_!]/g, "!$&")}%`;
    return sql`payload LIKE ${pattern} ESCAPE '!'`;
  }
  const [small, capitals] = [written.toLowerCase(), written.toUpperCase()];
  // Small letters without the first stand for both the word and the same with a capital first.
  const [, ...rest] = small;
  const [, ...restCapitals] = capitals;
  const isCased = small !== capitals && rest.length > 0 && restCapitals.length > 0;
  const isMixed = written.slice(1) !== small.slice(1) && written !== capitals;
  const spellings = new Set([
    ...(isMixed ? [written] : []),
    ...(isCased ? [rest.join(""), restCapitals.join("")] : [small, capitals]),
  ]);
  const conditions = [...spellings].map((spelling) => sql`instr(payload, ${spelling}) > 0`);
  return {
    text: conditions.map(({ text }) => text).join(" OR "),
    values: conditions.flatMap(({ values }) => values),
  };
}
