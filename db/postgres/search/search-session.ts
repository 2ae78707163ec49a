import { FIND_TYPES, type FindWhere, type Found, findInEvent } from "../../../lib/session/find/find-in-event.ts";
import { wordsOf } from "../../../lib/session/find/find-words.ts";
import { decodeStep, encodeStep } from "../../queries/cursor.ts";
import { hasWord, type Matching, MOST_BYTES, MOST_STEPS, STRIDE } from "../../queries/payload-words.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { SessionSearch } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { lastStep } from "../projections/folded.ts";
import { select } from "../queries/select.ts";

const MATCHING: Matching = { like: sql`ILIKE`, has: sql`strpos` };

interface Row {
  seq: number;
  type: string;
  run_id: string | null;
  call_id: string | null;
  payload: string;
}

/** Looks for words in the payloads of a session, newest step first, before a step. */
export async function searchSession(
  queries: Queries,
  conversationId: string,
  query: { q: string; where?: FindWhere; cursor?: string; limit: number },
): Promise<SessionSearch> {
  const last = await lastStep(queries, conversationId);
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
    const range = sql`conversation_id = ${conversationId} AND seq >= ${from} AND seq < ${to}`;
    const rows = await select<Row>(
      queries,
      sql`SELECT seq, type, run_id, call_id, payload FROM events WHERE ${range} AND ${wanted} ORDER BY seq DESC`,
    );
    for (const row of rows) {
      const found = findInEvent({ type: row.type, payload: JSON.parse(row.payload) }, words);
      if (!found) continue;
      items.push({ seq: row.seq, type: row.type, run_id: row.run_id, call_id: row.call_id, ...found });
      if (items.length === query.limit)
        return { items, from: row.seq, next: row.seq > 1 ? encodeStep(list, row.seq) : null };
    }
    const [read] = await select<{ bytes: number | null }>(
      queries,
      sql`SELECT sum(octet_length(payload))::bigint AS bytes FROM events WHERE ${range}`,
    );
    budget.steps -= to - from;
    budget.bytes -= read?.bytes ?? 0;
  }
  return { items, from, next: from > 1 ? encodeStep(list, from) : null };
}

function isOfWhere(where: FindWhere | undefined): Sql | null {
  const isAmong = (types: readonly string[]) => sql`type IN (${listed(types)})`;
  switch (where) {
    case undefined:
      return null;
    case "message":
    case "state":
      return isAmong(FIND_TYPES[where]);
    case "event":
      return sql`NOT ${isAmong(Object.values(FIND_TYPES).flat())}`;
    default:
      return where satisfies never;
  }
}

function listed(values: readonly string[]): Sql {
  return { text: values.map(() => "?").join(", "), values: [...values] };
}
