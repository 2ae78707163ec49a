import { createHash } from "node:crypto";
import { copyJson } from "../../plan/resolve.ts";
import { scopedMessages } from "../../plan/scope.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { NotJson, toJson } from "../plain-json.ts";
import type { CallResult } from "../step/calls/finish-call.ts";
import type { Outcome, TryError } from "../step/calls/retry.ts";
import type { EffectOf } from "../step/effect.ts";
import type { RunCall } from "../step/state/run-call.ts";
import { type ActivityCall, ActivityError, Choice, type ProgressReport } from "../tools/activity.ts";
import type { Runner } from "./runner.ts";

/** Longer parts of an idempotency key are replaced by their hash: the key has to fit in a header. */
const LONGEST_KEY_PART = 80;

/** Runs one attempt of a call. The first of its result and its time limit counts. */
export function callActivity(run: Runner, { ticket, call, params, handler }: EffectOf<"call_activity">): void {
  const { clock, random } = run.engine.ports;
  const controller = new AbortController();
  const callOff = clock.later(handler.timeout_ms, () =>
    run.post({ kind: "attempt_timed_out", ticket, jitter: random() }),
  );
  const progress = new ProgressLimit(run, ticket);
  run.onStop(ticket, (reason) => {
    callOff();
    progress.stop();
    controller.abort(reason);
  });
  const end = (outcome: Outcome, aborted: boolean) => {
    callOff();
    progress.stop();
    run.offStop(ticket);
    run.post({ kind: "attempt_ended", ticket, outcome, aborted, jitter: random() });
  };
  const given = { signal: controller.signal, report: (told: ProgressReport) => progress.report(told) };
  perform(run, call, params, handler.activity, given).then(
    (result) => end({ ok: true, result }, false),
    (thrown: unknown) => end({ ok: false, error: tryError(thrown) }, isAbort(thrown, controller.signal)),
  );
}

/** The error of an activity. An error without details counts as not transient. */
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
 * The idempotency key of a call: the same for all its attempts, and for no other call; ASCII (P23). Edited parameters, or
 * another plan's call of the same id, get another key: a server that stores results by key would return the first result.
 */
function idempotencyKey(runId: string, { iteration, call_id, instance, first_attempt }: RunCall): string {
  const place = [runId, iteration, keyPart(call_id), keyPart(instance)];
  return [...place, ...(first_attempt > 1 ? [first_attempt] : [])].join(".");
}

function keyPart(text: string): string {
  const written = encodeURIComponent(text.toWellFormed()).replaceAll(".", "%2E");
  return written.length <= LONGEST_KEY_PART ? written : createHash("sha256").update(text).digest("hex");
}

/** Calls the activity with its own copies of the values (P8, P28). */
async function perform(
  run: Runner,
  call: RunCall,
  params: JsonObject,
  activity: EffectOf<"call_activity">["handler"]["activity"],
  { signal, report }: Pick<ActivityCall, "signal" | "report">,
): Promise<CallResult> {
  const { id: run_id, conversation_id, context } = run.state;
  const { iteration, call_id, instance, tool, attempt } = call;
  const given: ActivityCall = {
    ...{ conversation_id, run_id, iteration, call_id, instance, tool, attempt, signal, report },
    idempotency_key: idempotencyKey(run_id, call),
  };
  const scopes = scopedMessages(context, instance, call.plan.scopes, () => run.state.state(instance));
  const answer = await activity(copyJson(params), scopes, given);
  if (answer instanceof Choice) return { value: toJson(answer.value), chosen: answer.path, state: undefined };
  return { value: toJson(answer), chosen: null, state: undefined };
}

/** Whether it failed only because it was aborted. */
function isAbort(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (thrown === signal.reason || (thrown instanceof Error && thrown.name === "AbortError"));
}

/** The shortest interval of recorded progress per attempt, ms: a tool may report each of a million rows. */
const PROGRESS_MS = 500;
/** With more calls of a run in flight than this, each records progress less often. */
const TELLING_AT_ONCE = 10;
/** Smaller steps are not recorded, so there are at most 100. */
const LEAST_STEP = 0.01;
/** The limit of messages without such a step, per attempt. */
const MOST_MESSAGES = 100;
/** The catalogue's limit. */
const LONGEST_MESSAGE = 500;

/**
 * Limits the progress of an attempt that is recorded: its rate, direction and number. Reports in between wait, and the newest
 * one is recorded.
 */
class ProgressLimit {
  readonly #run: Runner;
  readonly #ticket: number;
  #part: number | null = null;
  #message: string | null = null;
  #next: { part: number | null; message: string | null } | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;
  #messages = 0;
  #callOff: (() => void) | null = null;
  #isOver = false;

  constructor(run: Runner, ticket: number) {
    this.#run = run;
    this.#ticket = ticket;
  }

  report(told: ProgressReport): void {
    if (this.#isOver) return;
    const part = Math.max(partOf(told.part) ?? -1, this.#next?.part ?? -1, this.#part ?? -1);
    const message = told.message === undefined ? (this.#next?.message ?? this.#message) : messageOf(told.message);
    const isForward = part >= 0 && (this.#part === null || part >= this.#part + LEAST_STEP || part === 1);
    const isNews = isForward && part !== this.#part;
    if (!isNews && (message === this.#message || this.#messages >= MOST_MESSAGES)) return;
    const isWaiting = this.#next !== null;
    this.#next = { part: isNews ? part : this.#part, message };
    if (isWaiting) return;
    const { clock } = this.#run.engine.ports;
    const interval = PROGRESS_MS * Math.max(1, this.#run.run.inFlight.size / TELLING_AT_ONCE);
    // The first one waits as well, for others that arrive with it.
    this.#callOff = clock.later(Math.max(this.#toldAt + interval - clock.now(), 0), () => this.#tell());
  }

  stop(): void {
    this.#isOver = true;
    this.#callOff?.();
  }

  #tell(): void {
    if (this.#isOver || !this.#next) return;
    const { part, message } = this.#next;
    if (part === this.#part) this.#messages += 1;
    [this.#part, this.#message, this.#next] = [part, message, null];
    this.#toldAt = this.#run.engine.ports.clock.now();
    this.#run.post({ kind: "attempt_progressed", ticket: this.#ticket, part, message });
  }
}

function partOf(part: number | undefined): number | null {
  return typeof part === "number" && Number.isFinite(part) ? Math.min(Math.max(part, 0), 1) : null;
}

/** The text as one line that can be stored; null if it is empty. */
function messageOf(message: string): string | null {
  const line = message
    .slice(0, LONGEST_MESSAGE)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return line === "" ? null : line;
}
