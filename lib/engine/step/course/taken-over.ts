import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { Termination } from "../state/in-flight.ts";

/** Whether a top-level run answers a user. */
export function isTurn({ parent, state }: Run): boolean {
  return parent === null && state.settings.answers !== null;
}

export function isOpenTurn(run: Run): boolean {
  return isTurn(run) && !run.state.ended;
}

/** Ends a turn because a manager has taken over its conversation. */
export function yieldedTo(manager: string): Termination {
  return { reason: REASONS.takenOverBy(manager), error: null, actor: manager, gently: false };
}
