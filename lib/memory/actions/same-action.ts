import { isSameJson } from "../../session/json/json.ts";
import type { Action } from "./happening.ts";

type Call = Pick<Action, "method" | "params">;

/** Whether two actions are equal (M9): method and parameters, ignoring the order of keys. */
export function isSameAction(a: Call, b: Call): boolean {
  return a.method === b.method && isSameJson(a.params, b.params);
}
