"use client";

import { type Decidable, decide, isOpen, isSent, type PendingDecision, sendNow } from "./pending.ts";
import type { DecisionBody } from "./send-decision.ts";
import { usePendingOf } from "./use-pending.ts";

/** A second press within this time, ms, is ignored. */
const SAME_PRESS = 500;

/** The decision about a confirmation. */
export interface Decide {
  /** Decides it; a second call sends the decision at once. */
  submit: (body: DecisionBody) => void;
  /** The decision that can be undone or is being sent. */
  pending: PendingDecision | null;
  /** Already decided, or being sent. */
  busy: boolean;
  /** Why the last attempt failed. */
  error: Error | null;
}

/** Decides a confirmation. There are no optimistic updates: the result arrives as events. */
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
