import type { Effect } from "../../memory/actions/happening.ts";

/** From the weakest on. */
const EFFECTS: readonly Effect[] = ["none", "read", "create", "change"];

/** The strongest of what several do outside; of none, whatever there can be. */
export function strongest(effects: readonly Effect[]): Effect {
  return EFFECTS.findLast((effect) => effects.includes(effect)) ?? "change";
}
