import type { Run } from "../run.ts";
import type { RunCall } from "../state/run-call.ts";

/** Nothing is under way for a call any more: its slot is free, if it held one. */
export function releaseSlot(run: Run, call: RunCall): void {
  const live = run.inFlight.get(call);
  run.inFlight.delete(call);
  if (live && (live.kind === "activity" || live.kind === "delegate") && !live.waiting) run.slots.release();
}
