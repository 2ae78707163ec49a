import type { Json } from "../../../session/json/json.ts";
import type { Failure } from "../../../session/session.ts";
import { ESCALATED } from "../reasons.ts";
import type { Run } from "../run.ts";
import { keepChain } from "../state/chain.ts";
import { placeOf } from "../state/run-call.ts";
import { emitAnswer, emitCancelled, emitFailed } from "./user-messages.ts";

/** Finishes the run. */
export function finishRun(run: Run, output: Json | undefined, reason?: string): void {
  emitAnswer(run, output, reason);
  keepChain(run, reason === undefined);
  const finished = {
    ...(output === undefined ? {} : { output }),
    ...(reason === undefined ? {} : { reason }),
  };
  const caused_by = run.log.emit("run.finished", finished, { caused_by: run.state.latest });
  tellDelegate(run, { output: output ?? null }, caused_by);
}

/** Fails the run, with an error that says what to do. */
export function failRun(run: Run, error: Failure, cause: string | null = run.state.latest): void {
  emitFailed(run, error);
  keepChain(run, false);
  const caused_by = run.log.emit("run.failed", { error: { ...error } }, { caused_by: cause });
  tellDelegate(run, { error: { ...error } }, caused_by);
}

/** Finishes the run because it, or a run that it belongs to, was escalated to a manager (D9). */
export function endEscalated(run: Run, message: string): void {
  keepChain(run, false);
  const caused_by = run.log.emit("run.finished", { reason: ESCALATED }, { caused_by: run.state.latest });
  tellDelegate(run, { error: { code: ESCALATED, message } }, caused_by);
}

/** Cancels the run (P24). */
export function cancelRun(run: Run, reason: string, actor: string): void {
  emitCancelled(run);
  keepChain(run, false);
  const caused_by = run.log.emit("run.cancelled", { reason }, { actor });
  tellDelegate(run, { error: { code: "cancelled", message: reason } }, caused_by);
}

/** Records what a delegate's run returns to its parent's call (P27). */
function tellDelegate(
  run: Run,
  result: { output: Json } | { error: { code: string; message: string } },
  caused_by: string,
): void {
  const { parent_call, settings } = run.state;
  if (!parent_call) return;
  run.log.emit(
    "delegate.finished",
    { delegate: settings.delegate ?? "", ...placeOf(parent_call), ...result },
    { caused_by },
  );
}
