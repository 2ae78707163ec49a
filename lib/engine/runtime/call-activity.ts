import { createHash } from "node:crypto";
import { scopedMessages } from "../../plan/scope.ts";
import type { JsonObject } from "../../session/json.ts";
import { NotJson, toJson } from "../plain-json.ts";
import type { CallResult } from "../step/calls/finish-call.ts";
import type { Outcome, TryError } from "../step/calls/retry.ts";
import type { EffectOf } from "../step/effect.ts";
import type { RunCall } from "../step/state/run-call.ts";
import { type ActivityCall, ActivityError, Choice } from "../tools/activity.ts";
import type { Runner } from "./runner.ts";

/** Longer parts of an idempotency key are told by their hash: the key has to fit in a header. */
const LONGEST_KEY_PART = 80;

/** Has an activity carry one try of a call out. What comes first is its answer or the end of its time. */
export function callActivity(run: Runner, { ticket, call, params, handler }: EffectOf<"call_activity">): void {
  const { clock, random } = run.engine.ports;
  const controller = new AbortController();
  const callOff = clock.later(handler.timeout_ms, () =>
    run.post({ kind: "attempt_timed_out", ticket, jitter: random() }),
  );
  run.onStop(ticket, (reason) => {
    callOff();
    controller.abort(reason);
  });
  const end = (outcome: Outcome, aborted: boolean) => {
    callOff();
    run.offStop(ticket);
    run.post({ kind: "attempt_ended", ticket, outcome, aborted, jitter: random() });
  };
  perform(run, call, params, handler.activity, controller.signal).then(
    (result) => end({ ok: true, result }, false),
    (thrown: unknown) => end({ ok: false, error: tryError(thrown) }, isAbort(thrown, controller.signal)),
  );
}

/** What an activity threw. Of an error that does not say, nobody knows that trying again would help. */
function tryError(thrown: unknown): TryError {
  if (thrown instanceof ActivityError) {
    const { code, message, did_not_happen, transient, retry_after_ms } = thrown;
    return { code, message, did_not_happen, transient, retry_after_ms };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = thrown instanceof NotJson ? "invalid_output" : "activity_failed";
  return { code, message, did_not_happen: false, transient: false, retry_after_ms: null };
}

/**
 * The same for every try of a call, and of no other; ASCII (P23). What a person edited, or another plan gave the same
 * id, is another action: whoever keeps answers by their keys would take it for the first.
 */
function idempotencyKey(runId: string, { iteration, call_id, instance, first_attempt }: RunCall): string {
  const place = [runId, iteration, keyPart(call_id), keyPart(instance)];
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
  activity: EffectOf<"call_activity">["handler"]["activity"],
  signal: AbortSignal,
): Promise<CallResult> {
  const { id: run_id, conversation_id, context } = run.state;
  const { iteration, call_id, instance, tool, attempt } = call;
  const given: ActivityCall = {
    ...{ conversation_id, run_id, iteration, call_id, instance, tool, attempt, signal },
    idempotency_key: idempotencyKey(run_id, call),
  };
  const scopes = scopedMessages(context, instance, call.plan.scopes, () => run.state.state(instance));
  const answer = await activity(structuredClone(params), scopes, given);
  if (answer instanceof Choice) return { value: toJson(answer.value), chosen: answer.path, state: undefined };
  return { value: toJson(answer), chosen: null, state: undefined };
}

/** It failed because it was told to stop: that says nothing new. */
function isAbort(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (thrown === signal.reason || (thrown instanceof Error && thrown.name === "AbortError"));
}
