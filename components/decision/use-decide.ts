"use client";

import { type Decidable, decide, isOpen, isSent, type PendingDecision, sendNow } from "./pending.ts";
import type { DecisionBody } from "./send-decision.ts";
import { usePendingOf } from "./use-pending.ts";

/** A second press within this time, ms, is the same press. */
const SAME_PRESS = 500;

/** The way from a confirmation to its decision. */
export interface Decide {
  /** Decides it; once more while that can be undone sends it at once. */
  submit: (body: DecisionBody) => void;
  /** What is decided and can be undone, or is on its way. */
  pending: PendingDecision | null;
  /** There is nothing to decide: it is, or is about to be. */
  busy: boolean;
  /** Why the last try was not taken. */
  error: Error | null;
}

/** Decides a confirmation. Nothing is shown ahead of the answer: what follows from it comes as events. */
export function useDecide(confirmation: Decidable): Decide {
  const known = usePendingOf(confirmation.id);
  const pending = known && isOpen(known) ? known : null;
  return {
    submit: (body) => {
      if (!pending) decide([confirmation], body);
      else if (performance.now() - pending.since > SAME_PRESS) sendNow(pending.id);
    },
    pending,
    busy: pending !== null || isSent(confirmation),
    error: known?.state.name === "failed" ? known.state.error : null,
  };
}
