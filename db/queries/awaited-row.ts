import { isJsonObject, type Json } from "../../lib/session/json/json.ts";
import type { AwaitedOfRun } from "../repositories.ts";

/** A confirmation that a run waits for, its action as JSON. */
export interface AwaitedRow extends Omit<AwaitedOfRun, "action"> {
  action: string;
}

export const AWAITED = `SELECT confirmations.run_id, confirmations.id, confirmations.key, action
  FROM run_owners JOIN confirmations USING (run_id) WHERE own = 1 AND status = 'requested'`;

export function toAwaited({ action, ...row }: AwaitedRow): AwaitedOfRun {
  const stored: Json = JSON.parse(action);
  if (!isJsonObject(stored) || typeof stored.method !== "string" || !isJsonObject(stored.params))
    throw new Error(`The confirmation ${row.id} has no action`);
  return { ...row, action: { method: stored.method, params: stored.params } };
}
