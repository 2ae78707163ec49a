import { parseReference } from "../../../lib/plan/reference.ts";
import { HISTORY_TYPES, StateHistory, type StateHistoryEntry } from "../../../lib/session/find/state-history.ts";
import { decodeStep, encodeStep } from "../../queries/cursor.ts";
import { type HistoryRow, MOST_HISTORY_BYTES, toHistoryStep } from "../../queries/history-step.ts";
import type { PathHistory } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** Payloads of calls are large, and are not read. Writes before the page's first step have null. */
const ROWS = `SELECT seq, conversation_id, type, run_id, actor, occurred_at, call_id, iteration, instance, tool,
    CASE WHEN type = 'plan.proposed' OR (type = 'state.written' AND seq > ?) THEN payload END AS payload
  FROM events WHERE conversation_id = ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq`;

/** The steps at which a path of the state was written or read, oldest first (C6). Null: no such conversation. */
export function readStateHistory(
  connection: Connection,
  conversationId: string,
  { path, instance, cursor, limit }: { path: string; instance: string | null; cursor?: string; limit: number },
): PathHistory | null {
  const exists = connection.prepare<[string]>("SELECT 1 FROM conversations WHERE id = ?").get(conversationId);
  if (!exists) return null;
  const reference = parseReference(path);
  if (!reference.ok) throw new Error(`Not a path: ${path}`);
  const history = new StateHistory(reference.value, instance);
  const items: StateHistoryEntry[] = [];
  const list = ["state-history", conversationId];
  const after = decodeStep(list, cursor) ?? 0;
  let bytes = 0;
  const rows = connection
    .prepare<[number, string, string], HistoryRow>(ROWS)
    .iterate(after, conversationId, JSON.stringify(HISTORY_TYPES));
  for (const row of rows) {
    const step = toHistoryStep(row);
    const entry = step && history.add(step);
    if (row.seq <= after) continue;
    if (entry) items.push(entry);
    bytes += row.payload?.length ?? 0;
    if (items.length === limit || bytes > MOST_HISTORY_BYTES) return { items, next: encodeStep(list, row.seq) };
  }
  return { items, next: null };
}
