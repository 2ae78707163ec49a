import type { KeptAction } from "../document.ts";
import { isSameAction } from "./same-action.ts";

/** Adds an action to the plan (M8, M13), unless it is there. */
export function withPlanned(planned: KeptAction[], action: KeptAction): KeptAction[] {
  return planned.some((other) => isSameAction(other, action)) ? planned : [...planned, action];
}

/** Removes an action from the plan: it was executed, or denied. */
export function withoutPlanned(planned: KeptAction[], action: Pick<KeptAction, "method" | "params">): KeptAction[] {
  return planned.filter((other) => !isSameAction(other, action));
}
