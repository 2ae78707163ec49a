import { parseReference } from "../../../lib/plan/reference.ts";
import {
  HISTORY_TYPES,
  type HistoryStep,
  StateHistory,
  type StateHistoryEntry,
} from "../../../lib/session/find/state-history.ts";
import type { PathHistory } from "../../repositories.ts";
import { toIso } from "../../times.ts";
import type { Connection } from "../connection.ts";

/**
 * How many bytes of payload one answer goes through after its first step: about 100 ms of a reader thread. What is left is
 * asked for with `next`.
 */
const MOST_BYTES = 32_000_000;

type Row = Omit<HistoryStep, "occurred_at" | "payload" | "type"> & {
  type: HistoryStep["type"];
  occurred_at: number | null;
  /** Only of the types whose columns do not say enough. */
  payload: string | null;
};

/** Payloads of calls are the large ones, and are not read. Of writes before the page's first step nothing is told. */
const ROWS = `SELECT seq, conversation_id, type, run_id, actor, occurred_at, call_id, iteration, instance, tool,
    CASE WHEN type = 'plan.proposed' OR (type = 'state.written' AND seq > ?) THEN payload END AS payload
  FROM events WHERE conversation_id = ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq`;

/** The steps at which a path of the state was written or read, oldest first (C6). Null: no such conversation. */
export function readStateHistory(
  connection: Connection,
  conversationId: string,
  { path, instance, after, limit }: { path: string; instance: string | null; after: number; limit: number },
): PathHistory | null {
  const exists = connection.prepare<[string]>("SELECT 1 FROM conversations WHERE id = ?").get(conversationId);
  if (!exists) return null;
  const reference = parseReference(path);
  if (!reference.ok) throw new Error(`Not a path: ${path}`);
  const history = new StateHistory(reference.value, instance);
  const items: StateHistoryEntry[] = [];
  let bytes = 0;
  const rows = connection
    .prepare<[number, string, string], Row>(ROWS)
    .iterate(after, conversationId, JSON.stringify(HISTORY_TYPES));
  for (const row of rows) {
    const step = toStep(row);
    const entry = step && history.add(step);
    if (row.seq <= after) continue;
    if (entry) items.push(entry);
    bytes += row.payload?.length ?? 0;
    if (items.length === limit || bytes > MOST_BYTES) return { items, next: String(row.seq) };
  }
  return { items, next: null };
}

/** What is stored has been checked against the catalogue; null for a write that the page has behind it. */
function toStep({ payload, occurred_at, ...row }: Row): HistoryStep | null {
  const step = { ...row, occurred_at: occurred_at === null ? null : toIso(occurred_at) };
  switch (step.type) {
    case "plan.proposed":
    case "state.written":
      return payload === null ? null : { ...step, type: step.type, payload: JSON.parse(payload) };
    case "run.started":
    case "run.iteration":
    case "call.started":
      return { ...step, type: step.type };
    default:
      return step.type satisfies never;
  }
}
