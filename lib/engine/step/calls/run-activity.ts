import type { JsonObject } from "../../../session/json/json.ts";
import type { Handler } from "../../tools/tools.ts";
import type { Input } from "../input.ts";
import type { Run } from "../run.ts";
import { nameOf, placeOf, type RunCall } from "../state/run-call.ts";
import type { EarlyRun } from "./early-calls.ts";
import { failCall, finishCall } from "./finish-call.ts";
import { releaseSlot } from "./release-slot.ts";
import { mayRetry, type Outcome, waitBeforeRetry } from "./retry.ts";

/** A try that an activity carries out. */
export interface Attempt {
  call: RunCall;
  attempt: number;
  handler: Handler;
  /** It started while its plan was streaming, and its call may not have had its turn. */
  early: EarlyRun | null;
  /** It was stopped, or its time is up: what it answers is only told. */
  isOver: boolean;
}

/** Has an activity carry a started call out: with a time limit, and again if it may be (P24). */
export function runActivity(run: Run, call: RunCall, params: JsonObject, handler: Handler): void {
  launch(run, { call, handler, early: null, ticket: run.track(call, "activity") }, params);
}

/** Has an activity carry one try of a call out, once its start is on disk. */
export function launch(
  run: Run,
  { call, handler, early, ticket }: Pick<Attempt, "call" | "handler" | "early"> & { ticket: number },
  params: JsonObject,
): void {
  run.attempts.set(ticket, { call, attempt: call.attempt, handler, early, isOver: false });
  run.after({ kind: "call_activity", ticket, call, params, handler });
}

/** Lets go of a try: it is told the reason. */
export function stopAttempt(run: Run, ticket: number, reason: string): void {
  const attempt = run.attempts.get(ticket);
  if (attempt) attempt.isOver = true;
  run.atOnce({ kind: "stop", run, ticket, reason });
}

/** An activity has answered: the first to come, its answer or the end of its time, counts; what comes after is only told. */
export function endAttempt(run: Run, ended: Extract<Input, { kind: "attempt_ended" }>): EndedAttempt | null {
  const { ticket, outcome, aborted, jitter } = ended;
  const attempt = run.attempts.get(ticket);
  if (!attempt) return null;
  run.attempts.delete(ticket);
  if (!attempt.isOver) return { ...attempt, outcome, jitter };
  if (!aborted) tellLate(run, attempt, outcome);
  return null;
}

/** How far a try has come; one that is over tells nothing any more. */
export function progressAttempt(run: Run, progress: Extract<Input, { kind: "attempt_progressed" }>): void {
  const { ticket, part, message } = progress;
  const tried = run.attempts.get(ticket);
  if (!tried || tried.isOver) return;
  const { call, attempt } = tried;
  const told = { ...(part !== null && { progress: part }), ...(message !== null && { message }) };
  const origin = { actor: `tool:${call.tool}`, caused_by: call.event_id };
  run.log.emit("call.progressed", { ...nameOf(call), attempt, ...told }, origin);
}

/** What came of a try, and the chance that its further tries take. */
export interface EndedAttempt extends Pick<Attempt, "call" | "handler" | "early"> {
  outcome: Outcome;
  jitter: number;
}

/** A try has come to its end: so has the call, or there is another try after a wait. */
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

/** Has a call tried again after a wait; it holds no slot meanwhile. */
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

/** What comes after the call has ended is kept, and changes nothing any more. */
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
