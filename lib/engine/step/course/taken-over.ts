import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { Termination } from "../state/in-flight.ts";

/** Whether a top-level run answers a user: what it says reaches somebody. */
export function isTurn({ parent, state }: Run): boolean {
  return parent === null && state.settings.answers !== null;
}

export function isOpenTurn(run: Run): boolean {
  return isTurn(run) && !run.state.ended;
}

/** A turn makes way for the manager who has taken its conversation over. */
export function yieldedTo(manager: string): Termination {
  return { reason: REASONS.takenOverBy(manager), error: null, actor: manager, gently: false };
}
