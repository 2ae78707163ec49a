import type { JsonObject } from "../../../session/json/json.ts";
import type { Handler } from "../../tools/tools.ts";
import type { Input } from "../input.ts";
import type { Run } from "../run.ts";
import { nameOf, placeOf, type RunCall } from "../state/run-call.ts";
import type { EarlyRun } from "./early-calls.ts";
import { failCall, finishCall } from "./finish-call.ts";
import { releaseSlot } from "./release-slot.ts";
import { mayRetry, type Outcome, waitBeforeRetry } from "./retry.ts";

/** A running attempt of an activity. */
export interface Attempt {
  call: RunCall;
  attempt: number;
  handler: Handler;
  /** It started while its plan was streaming; its call may not be scheduled yet. */
  early: EarlyRun | null;
  /** It was aborted or timed out: its result is only recorded. */
  isOver: boolean;
}

/** Runs a started call's activity, with a time limit and retries (P24). */
export function runActivity(run: Run, call: RunCall, params: JsonObject, handler: Handler): void {
  launch(run, { call, handler, early: null, ticket: run.track(call, "activity") }, params);
}

/** Runs one attempt of a call's activity when its start is on disk. */
export function launch(
  run: Run,
  { call, handler, early, ticket }: Pick<Attempt, "call" | "handler" | "early"> & { ticket: number },
  params: JsonObject,
): void {
  run.attempts.set(ticket, { call, attempt: call.attempt, handler, early, isOver: false });
  run.after({ kind: "call_activity", ticket, call, params, handler });
}

/** Aborts an attempt with a reason. */
export function stopAttempt(run: Run, ticket: number, reason: string): void {
  const attempt = run.attempts.get(ticket);
  if (attempt) attempt.isOver = true;
  run.atOnce({ kind: "stop", run, ticket, reason });
}

/** An activity has ended. The first of its result and its time limit counts; what comes later is only recorded. */
export function endAttempt(run: Run, ended: Extract<Input, { kind: "attempt_ended" }>): EndedAttempt | null {
  const { ticket, outcome, aborted, jitter } = ended;
  const attempt = run.attempts.get(ticket);
  if (!attempt) return null;
  run.attempts.delete(ticket);
  if (!attempt.isOver) return { ...attempt, outcome, jitter };
  if (!aborted) tellLate(run, attempt, outcome);
  return null;
}

/** Records an attempt's progress, unless it is over. */
export function progressAttempt(run: Run, progress: Extract<Input, { kind: "attempt_progressed" }>): void {
  const { ticket, part, message } = progress;
  const tried = run.attempts.get(ticket);
  if (!tried || tried.isOver) return;
  const { call, attempt } = tried;
  const told = { ...(part !== null && { progress: part }), ...(message !== null && { message }) };
  const origin = { actor: `tool:${call.tool}`, caused_by: call.event_id };
  run.log.emit("call.progressed", { ...nameOf(call), attempt, ...told }, origin);
}

/** The outcome of an attempt, and the jitter of its retries. */
export interface EndedAttempt extends Pick<Attempt, "call" | "handler" | "early"> {
  outcome: Outcome;
  jitter: number;
}

/** An attempt has ended: ends the call, or schedules a retry. */
export function settleTry(run: Run, call: RunCall, { handler, outcome, jitter }: Omit<EndedAttempt, "call" | "early">) {
  releaseSlot(run, call);
  if (outcome.ok) return finishCall(run, call, outcome.result);
  const { code, message } = outcome.error;
  if (run.termination?.escalated || !mayRetry(handler, call.retries, outcome.error))
    return failCall(run, call, { code, message });
  const delay_ms = waitBeforeRetry(call.retries, outcome.error, jitter);
  const retried = { ...nameOf(call), attempt: call.attempt, error: { code, message }, delay_ms };
  run.log.emit("call.retried", retried, { actor: `tool:${call.tool}`, caused_by: call.event_id });
  waitToRetry(run, call, delay_ms);
}

/** Schedules a retry after a wait; the call holds no slot meanwhile. */
export function waitToRetry(run: Run, call: RunCall, delay_ms: number): void {
  const ticket = run.track(call, "retry");
  run.retries.set(ticket, call);
  run.after({ kind: "wait_to_retry", ticket, delay_ms });
}

/** The wait is over. */
export function tryAgain(run: Run, ticket: number): void {
  const call = run.retries.get(ticket);
  run.retries.delete(ticket);
  if (!call || !run.isLive(call, ticket) || call.params === null) return;
  run.inFlight.delete(call);
  const { tool, params, event_id: caused_by } = call;
  run.slots.add(call.instance, { call, tool, params, confirmation_id: null, caused_by });
}

/** A result after the call's end is recorded, without effect. */
function tellLate(run: Run, { call, attempt }: Attempt, outcome: Outcome): void {
  const message = `${call.tool} returned after the call had ended`;
  const answer: JsonObject = outcome.ok
    ? { output: outcome.result.value }
    : { error: { code: outcome.error.code, message: outcome.error.message } };
  run.log.emit(
    "log",
    { message, ...placeOf(call), attempt, ...answer },
    { actor: `tool:${call.tool}`, caused_by: call.event_id },
  );
}
