import { isSameJson } from "../../session/json/json.ts";
import type { Action } from "./happening.ts";

type Call = Pick<Action, "method" | "params">;

/** Whether two actions are the same (M9): method and parameters, the order of keys aside. */
export function isSameAction(a: Call, b: Call): boolean {
  return a.method === b.method && isSameJson(a.params, b.params);
}
