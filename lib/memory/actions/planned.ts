import type { KeptAction } from "../document.ts";
import { isSameAction } from "./same-action.ts";

/** The plan with an action (M8, M13): one that is there already is not planned twice. */
export function withPlanned(planned: KeptAction[], action: KeptAction): KeptAction[] {
  return planned.some((other) => isSameAction(other, action)) ? planned : [...planned, action];
}

/** The plan without an action: it was carried out, or a person does not want it. */
export function withoutPlanned(planned: KeptAction[], action: Pick<KeptAction, "method" | "params">): KeptAction[] {
  return planned.filter((other) => !isSameAction(other, action));
}
