import { printReference } from "../../plan/reference.ts";
import { isJsonObject } from "../../session/json/json.ts";
import type { Failure } from "../../session/session.ts";
import { AllowanceSpent } from "../errors.ts";
import { jitterOf, type Outcome, timedOut } from "../step/calls/retry.ts";
import type { Input } from "../step/input.ts";
import type { Run } from "../step/run.ts";
import { placeKey, type RunCall } from "../step/state/run-call.ts";
import { callOf, placeOf, readFailure } from "./recorded-place.ts";
import type { Recorded, RecordedEvent, Replaying } from "./replaying.ts";

/** The end of a try: by its tool, its delegate, its caller, or its time limit. */
export function endOfCall(replay: Replaying, run: Run, event: EndOfCall): Input | null {
  const { payload } = event;
  const call = callOf(run, payload);
  const early = run.early.get(placeKey({ ...placeOf(run, payload) }));
  const live = call && run.inFlight.get(call);
  // It was due before it ended, which left no event.
  if (early && !early.ended && !early.met && isAlone(firstStep(replay.ahead(run)))) return null;
  if (call && live?.kind === "delegate") return delegateEnd(run, call);
  if (live?.kind === "caller") {
    const { output = null, error } = payload;
    const result = error ? ({ ok: false, error } as const) : ({ ok: true, value: output } as const);
    return { kind: "answered", answers: [{ call_id: payload.call_id, result }], actor: event.actor ?? "" };
  }
  const ticket = early && !early.ended ? early.ticket : live?.ticket;
  const attempt = ticket === undefined ? undefined : run.attempts.get(ticket);
  if (ticket !== undefined && run.questions.has(ticket)) return unpaid(ticket, payload.error, false);
  if (ticket === undefined || !attempt || attempt.isOver) return null;
  if (payload.error?.code === timedOut(0).code && call) {
    const { delay_ms = 0 } = payload;
    return { kind: "attempt_timed_out", ticket, jitter: jitterOf(call.retries, delay_ms) };
  }
  return { kind: "attempt_ended", ticket, outcome: outcomeOf(event, attempt.call), aborted: false, jitter: 0 };
}

/**
 * The end of a call that started while its plan was streaming, and ended before it was due: its result counts in the step that
 * the next event is of.
 */
export function earlyEnd(replay: Replaying, run: Run): Input | null {
  if (run.early.size === 0 || run.asking !== null) return null;
  const step = firstStep(replay.ahead(run));
  if (isAlone(step)) return null;
  for (const event of step) {
    if (!isEnd(event)) continue;
    const early = run.early.get(placeKey(placeOf(run, event.payload)));
    if (!early || early.ended || early.met) continue;
    const outcome = outcomeOf(event, early.call);
    return { kind: "attempt_ended", ticket: early.ticket, outcome, aborted: false, jitter: 0 };
  }
  return null;
}

/** The same of one that ended some time before: nothing else is left that the run could have waited for. */
export function silentEnd(replay: Replaying, run: Run): Input | null {
  for (const { ended, met, call, ticket } of run.early.values()) {
    if (ended || met) continue;
    const event = replay.ahead(run).find((each): each is EndOfCall => isEnd(each) && isOf(run, each, call));
    const outcome = event ? outcomeOf(event, call) : NOTHING;
    return { kind: "attempt_ended", ticket, outcome, aborted: false, jitter: 0 };
  }
  return null;
}

/** Of a call whose result did not count. */
const NOTHING: Outcome = { ok: true, result: { value: null, chosen: null, state: undefined } };

type EndOfCall = Recorded<"call.succeeded" | "call.superseded" | "call.failed" | "call.retried">;

function isEnd(event: RecordedEvent): event is EndOfCall {
  const { type } = event;
  return type === "call.succeeded" || type === "call.superseded" || type === "call.failed" || type === "call.retried";
}

function isOf(run: Run, { payload }: EndOfCall, call: RunCall): boolean {
  return placeKey(placeOf(run, payload)) === placeKey(call);
}

/** The ids of a step's events are counted in their first fields: the events of the first step. */
function firstStep(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const end = events.findIndex(({ id }, index) => index > 0 && !follows(id, events[index - 1]?.id ?? ""));
  return end < 0 ? events : events.slice(0, end);
}

/** Whether the events of a step are its first one and what that one writes. */
function isAlone([first, ...others]: readonly RecordedEvent[]): boolean {
  return others.every(({ type, caused_by }) => type === "state.written" && caused_by === first?.id);
}

/** Length of a UUIDv7's time, and of its time and counter. */
const TIME = 13;

const COUNTER = 18;

function follows(id: string, before: string): boolean {
  return id.slice(0, TIME) === before.slice(0, TIME) && id.slice(0, COUNTER) > before.slice(0, COUNTER);
}

function outcomeOf({ type, payload }: EndOfCall, call: RunCall): Outcome {
  const { output = null, branch, error, delay_ms = null } = payload;
  if (type === "call.succeeded" || type === "call.superseded") {
    const chosen = branch === undefined ? undefined : call.own?.[branch]?.[0];
    return { ok: true, result: { value: output, chosen: chosen ? printReference(chosen) : null, state: undefined } };
  }
  const isRetried = type === "call.retried";
  const { code, message } = error ?? { code: "", message: "" };
  const again = { did_not_happen: isRetried, transient: isRetried, retry_after_ms: delay_ms };
  return { ok: false, error: { code, message, ...again } };
}

/** A latent tool's result was not asked for, because the agent may call no model; null for other failures. */
function unpaid(ticket: number, error: Failure | undefined, alert: boolean): Input | null {
  if (error?.code !== SPENT) return null;
  return { kind: "result_failed", ticket, why: { kind: "allowance", code: error.code, message: error.message, alert } };
}

/** The same, with managers told first. */
export function unpaidAfter(replay: Replaying, run: Run): Input | null {
  const failed = replay.ahead(run)[1];
  if (failed?.type !== "call.failed") return null;
  const call = callOf(run, failed.payload);
  const [ticket] = [...run.questions].find(([, question]) => question.call === call) ?? [];
  return ticket === undefined ? null : unpaid(ticket, failed.payload.error, true);
}

export const SPENT = new AllowanceSpent("", false).code;

/** The end of the delegate's run that carries out a call. */
export function delegateEnd(run: Run, call: RunCall | undefined): Input | null {
  const child = call && run.inFlight.get(call)?.child;
  if (!call || !child?.state.ended) return null;
  const { call_id, iteration, instance } = call;
  return { kind: "delegate_ended", call: { call_id, iteration, instance }, run_id: child.id };
}

/** A result that came after its call had ended. */
export function lateEnd(run: Run, { payload }: Recorded<"log">): Input | null {
  if (!isJsonObject(payload) || typeof payload.call_id !== "string") return null;
  const { call_id, attempt, output = null, error } = payload;
  const iteration = typeof payload.iteration === "number" ? payload.iteration : run.state.iteration;
  const instance = typeof payload.instance === "string" ? payload.instance : "";
  for (const [ticket, { call, attempt: number, isOver }] of run.attempts) {
    const isSame = call.call_id === call_id && call.iteration === iteration && call.instance === instance;
    if (!isSame || !isOver || number !== attempt) continue;
    const outcome: Outcome = isJsonObject(error)
      ? { ok: false, error: { ...readFailure(error), did_not_happen: false, transient: false, retry_after_ms: null } }
      : { ok: true, result: { value: output, chosen: null, state: undefined } };
    return { kind: "attempt_ended", ticket, outcome, aborted: false, jitter: 0 };
  }
  return null;
}
