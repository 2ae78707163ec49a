import { createHash } from "node:crypto";
import { scopedMessages } from "../../plan/scope.ts";
import type { JsonObject } from "../../session/json.ts";
import { toJson } from "../plain-json.ts";
import { type ActivityCall, Choice } from "../tools/activity.ts";
import type { Handler } from "../tools/tools.ts";
import type { CallResult } from "./finish-call.ts";
import { type TryError, timedOut, tryError } from "./retry.ts";
import { placeOf, type RunCall } from "./run-call.ts";
import type { Runner } from "./runner.ts";

/** Longer parts of an idempotency key are told by their hash: the key has to fit in a header. */
const LONGEST_KEY_PART = 80;

/** What came of one try. */
export type Outcome = { ok: true; result: CallResult } | { ok: false; error: TryError };

/**
 * Has an activity carry one try of a call out, once its start is on disk. What comes first, its answer or the end of
 * its time, is given to `settle` in a tick; what comes after that is only told. Gives the way to stop it.
 */
export function launch(
  run: Runner,
  call: RunCall,
  params: JsonObject,
  handler: Handler,
  settle: (outcome: Outcome) => void,
): (reason: Error) => void {
  const controller = new AbortController();
  const { attempt } = call;
  let isOver = false;
  let callOff: (() => void) | null = null;
  const stop = (reason: Error) => {
    isOver = true;
    callOff?.();
    controller.abort(reason);
  };
  const answer = (outcome: Outcome, isAbort: boolean) =>
    run.post(() => {
      if (!isOver) {
        isOver = true;
        callOff?.();
        settle(outcome);
      } else if (!isAbort) tellLate(run, call, attempt, outcome);
    });
  run.after(() => {
    // The same tick may have brought the run to its end.
    if (isOver) return;
    callOff = run.engine.ports.clock.later(handler.timeout_ms, () =>
      run.post(() => {
        if (isOver) return;
        const error = timedOut(handler.timeout_ms);
        stop(new Error(error.message));
        settle({ ok: false, error });
      }),
    );
    perform(run, call, params, handler, controller.signal).then(
      (result) => answer({ ok: true, result }, false),
      (thrown: unknown) => answer({ ok: false, error: tryError(thrown) }, isAbort(thrown, controller.signal)),
    );
  });
  return stop;
}

/**
 * The same for every try of a call, and of no other; ASCII (P23). What a person edited, or another plan gave the same
 * id, is another action: whoever keeps answers by their keys would take it for the first.
 */
function idempotencyKey(run: Runner, { iteration, call_id, instance, first_attempt }: RunCall): string {
  const place = [run.state.id, iteration, keyPart(call_id), keyPart(instance)];
  return [...place, ...(first_attempt > 1 ? [first_attempt] : [])].join(".");
}

function keyPart(text: string): string {
  const written = encodeURIComponent(text.toWellFormed()).replaceAll(".", "%2E");
  return written.length <= LONGEST_KEY_PART ? written : createHash("sha256").update(text).digest("hex");
}

/** Calls the activity with copies of its own (P8, P28). */
async function perform(
  run: Runner,
  call: RunCall,
  params: JsonObject,
  handler: Handler,
  signal: AbortSignal,
): Promise<CallResult> {
  const { id: run_id, conversation_id, context } = run.state;
  const { iteration, call_id, instance, tool, attempt } = call;
  const given: ActivityCall = {
    ...{ conversation_id, run_id, iteration, call_id, instance, tool, attempt, signal },
    idempotency_key: idempotencyKey(run, call),
  };
  const scopes = scopedMessages(context, instance, call.plan.scopes, () => run.state.state(instance));
  const answer = await handler.activity(structuredClone(params), scopes, given);
  if (answer instanceof Choice) return { value: toJson(answer.value), chosen: answer.path, state: undefined };
  return { value: toJson(answer), chosen: null, state: undefined };
}

/** What comes after the call has ended is kept, and changes nothing any more. */
function tellLate(run: Runner, call: RunCall, attempt: number, outcome: Outcome): void {
  const message = `${call.tool} answered after the call had ended`;
  const answer: JsonObject = outcome.ok
    ? { output: outcome.result.value }
    : { error: { code: outcome.error.code, message: outcome.error.message } };
  run.log.emit(
    "log",
    { message, ...placeOf(call), attempt, ...answer },
    { actor: `tool:${call.tool}`, caused_by: call.event_id },
  );
}

/** It failed because it was told to stop: that says nothing new. */
function isAbort(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (thrown === signal.reason || (thrown instanceof Error && thrown.name === "AbortError"));
}
