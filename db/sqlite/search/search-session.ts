import { FIND_TYPES, type FindWhere, type Found, findInEvent } from "../../../lib/session/find/find-in-event.ts";
import { wordsOf } from "../../../lib/session/find/find-words.ts";
import { decodeStep, encodeStep } from "../../queries/cursor.ts";
import { hasWord, type Matching, MOST_BYTES, MOST_STEPS, STRIDE } from "../../queries/payload-words.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { SessionSearch } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

const MATCHING: Matching = { like: sql`LIKE`, has: sql`instr` };

interface Row {
  seq: number;
  type: string;
  run_id: string | null;
  call_id: string | null;
  payload: string;
}

/**
 * Searches the payloads of a session for words, newest step first, before a step. There is no index, which would cost
 * each new event more than everything else stored for it. Null: no such conversation.
 */
export function searchSession(
  connection: Connection,
  conversationId: string,
  query: { q: string; where?: FindWhere; cursor?: string; limit: number },
): SessionSearch | null {
  const last = lastSeq(connection, conversationId);
  if (last === null) return null;
  const words = wordsOf(query.q);
  const items: Found[] = [];
  const list = ["search", conversationId];
  let from = Math.min(decodeStep(list, query.cursor) ?? last + 1, last + 1);
  if (words.length === 0) return { items, from: 1, next: null };
  const wanted = and(isOfWhere(query.where), ...words.map((word) => hasWord(word, MATCHING)));
  const budget = { steps: MOST_STEPS, bytes: MOST_BYTES };
  while (from > 1 && budget.steps > 0 && budget.bytes > 0) {
    const to = from;
    from = Math.max(1, to - STRIDE);
    for (const row of rowsBetween(connection, conversationId, { from, to, wanted })) {
      const found = findInEvent({ type: row.type, payload: JSON.parse(row.payload) }, words);
      if (!found) continue;
      items.push({ seq: row.seq, type: row.type, run_id: row.run_id, call_id: row.call_id, ...found });
      if (items.length === query.limit)
        return { items, from: row.seq, next: row.seq > 1 ? encodeStep(list, row.seq) : null };
    }
    budget.steps -= to - from;
    budget.bytes -= bytesBetween(connection, conversationId, from, to);
  }
  return { items, from, next: from > 1 ? encodeStep(list, from) : null };
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
