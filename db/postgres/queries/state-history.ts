import { parseReference } from "../../../lib/plan/reference.ts";
import { HISTORY_TYPES, StateHistory, type StateHistoryEntry } from "../../../lib/session/find/state-history.ts";
import { decodeStep, encodeStep } from "../../queries/cursor.ts";
import { type HistoryRow, MOST_HISTORY_BYTES, toHistoryStep } from "../../queries/history-step.ts";
import type { PathHistory } from "../../repositories.ts";
import type { Queries } from "../database.ts";

const A_PAGE = 1_000;

/** Payloads of calls are the large ones, and are not read. Of writes before the page's first step nothing is told. */
const ROWS = `SELECT seq, conversation_id, type, run_id, actor, occurred_at, call_id, iteration, instance, tool,
    CASE WHEN type = 'plan.proposed' OR (type = 'state.written' AND seq > $1) THEN payload END AS payload
  FROM events WHERE conversation_id = $2 AND type = ANY($3) AND seq > $4 ORDER BY seq LIMIT ${A_PAGE}`;

/** The steps at which a path of the state was written or read, oldest first (C6). */
export async function readStateHistory(
  queries: Queries,
  conversationId: string,
  { path, instance, cursor, limit }: { path: string; instance: string | null; cursor?: string; limit: number },
): Promise<PathHistory> {
  const reference = parseReference(path);
  if (!reference.ok) throw new Error(`Not a path: ${path}`);
  const history = new StateHistory(reference.value, instance);
  const items: StateHistoryEntry[] = [];
  const list = ["state-history", conversationId];
  const after = decodeStep(list, cursor) ?? 0;
  let bytes = 0;
  let seen = 0;
  for (;;) {
    const rows = await queries.rows<HistoryRow>(ROWS, [after, conversationId, HISTORY_TYPES, seen]);
    for (const row of rows) {
      seen = row.seq;
      const step = toHistoryStep(row);
      const entry = step && history.add(step);
      if (row.seq <= after) continue;
      if (entry) items.push(entry);
      bytes += row.payload?.length ?? 0;
      if (items.length === limit || bytes > MOST_HISTORY_BYTES) return { items, next: encodeStep(list, row.seq) };
    }
    if (rows.length < A_PAGE) return { items, next: null };
  }
}
