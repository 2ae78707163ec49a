import { printReference } from "../../plan/reference.ts";
import type { Json } from "../../session/json/json.ts";
import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import type { Failure } from "../../session/session.ts";
import type { CallPlace, Decision } from "../engine.ts";
import { AllowanceSpent } from "../errors.ts";
import { UnreadableMemory } from "../memory.ts";
import type { ModelAnswer } from "../model.ts";
import { readResult } from "../planning/planner.ts";
import { readSolution } from "../planning/read-solution.ts";
import { actionOf } from "../step/calls/approval-policy.ts";
import { jitterOf, type Outcome, timedOut } from "../step/calls/retry.ts";
import { DIALOG_FAILED } from "../step/course/direct.ts";
import type { Input, InputOf, Requested } from "../step/input.ts";
import { REASONS } from "../step/reasons.ts";
import type { Run } from "../step/run.ts";
import { contextNow } from "../step/state/context-now.ts";
import type { PendingStart, Termination } from "../step/state/in-flight.ts";
import { placeKey, type RunCall } from "../step/state/run-call.ts";
import type { DialogEvent, Speaker } from "../turn.ts";
import { cannot, type Given, type Recorded, type RecordedEvent, type Replaying } from "./replaying.ts";

/** What the engine was told before this recorded event; null if it followed of itself. */
export function inputFor(replay: Replaying, run: Run, event: RecordedEvent): Given | null {
  const input = earlyEnd(replay, run) ?? ownInput(replay, run, event);
  if (input) return { run, input };
  return terminationFor(replay, run, event);
}

function ownInput(replay: Replaying, run: Run, event: RecordedEvent): Input | null {
  switch (event.type) {
    case "call.succeeded":
    case "call.superseded":
    case "call.failed":
    case "call.retried":
      return endOfCall(replay, run, event);
    case "call.started":
      return startOfCall(replay, run, event);
    case "call.progressed":
      return progressOf(run, event);
    case "call.parked":
      return approvalFor(replay, run, callOf(run, event.payload));
    case "call.skipped":
    case "call.blocked":
      return unstarted(run, event);
    case "call.cancelled":
      return delegateEnd(run, callOf(run, event.payload));
    case "log":
      return lateEnd(run, event);
    case "confirmation.approved":
      return decisionOf(replay, "approve", event);
    case "confirmation.denied":
      return denialOf(replay, run, event);
    case "selfcheck.warned":
    case "prompt.rendered":
      return requestOf(replay, run, event);
    case "model.responded":
      return answerOf(replay, run, event);
    case "model.failed":
      return failureOf(replay, run, event);
    case "run.resumed":
      return resumption(run, event);
    case "run.iteration":
    case "stage.entered":
    case "stage.changed":
      return directionOf(replay, run);
    case "message.created":
      return replay.sent(run, "tell_escalated") ?? unasked(replay, run);
    case "agent_state.written":
      return event.actor === "system" ? directionOf(replay, run) : unasked(replay, run);
    case "manager.alerted":
      return unpaidAfter(replay, run) ?? unasked(replay, run);
    case "run.finished":
    case "run.failed":
      return unasked(replay, run);
    default:
      return null;
  }
}

/** Ends a run from outside: a person cancelled it, or took its conversation over. */
function terminationFor(replay: Replaying, run: Run, { type, payload }: RecordedEvent): Given | null {
  if (run.root.termination !== null || run.termination !== null) return null;
  if (
    type !== "call.cancelled" &&
    type !== "confirmation.denied" &&
    type !== "run.cancelled" &&
    type !== "message.created"
  )
    return null;
  let found: { run: Run; termination: Termination } | null = null;
  for (let each: Run | undefined = run; each; each = each.parent?.run) {
    const termination = endingOf(replay, each);
    if (termination && (type === "message.created" || !("reason" in payload) || payload.reason === termination.reason))
      found = { run: each, termination };
  }
  return found && { run: found.run, input: { kind: "terminate", termination: found.termination } };
}

/** How the record says that a run was ended from outside; null if it was not, or not now. */
function endingOf(replay: Replaying, run: Run): Termination | null {
  const end = endOf(replay, run);
  if (end?.type === "run.cancelled") {
    const { actor, payload } = end;
    return { reason: payload.reason ?? "", error: null, actor: actor ?? "", gently: false };
  }
  const error = end && isJsonObject(end.payload.error) ? readFailure(end.payload.error) : null;
  if (error?.code !== UnreadableMemory.code) return null;
  return { reason: error.message, error, actor: "system", gently: true };
}

type End = Recorded<"run.finished" | "run.failed" | "run.cancelled">;

/** The next end of a run in its record. */
function endOf(replay: Replaying, run: Run): End | null {
  const end = replay.ahead(run).find((event): event is End => /^run\.(finished|failed|cancelled)$/.test(event.type));
  return end ?? null;
}

type Place = { call_id: string; iteration?: number | undefined; instance?: string | undefined };

function placeOf(run: Run, { call_id, iteration = run.state.iteration, instance = "" }: Place): CallPlace {
  return { call_id, iteration, instance };
}

function callOf(run: Run, place: Place): RunCall | undefined {
  return run.state.call(placeOf(run, place));
}

function endOfCall(replay: Replaying, run: Run, event: EndOfCall): Input | null {
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
function earlyEnd(replay: Replaying, run: Run): Input | null {
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
function unpaidAfter(replay: Replaying, run: Run): Input | null {
  const failed = replay.ahead(run)[1];
  if (failed?.type !== "call.failed") return null;
  const call = callOf(run, failed.payload);
  const [ticket] = [...run.questions].find(([, question]) => question.call === call) ?? [];
  return ticket === undefined ? null : unpaid(ticket, failed.payload.error, true);
}

const SPENT = new AllowanceSpent("", false).code;

/** The end of the delegate's run that carries out a call. */
function delegateEnd(run: Run, call: RunCall | undefined): Input | null {
  const child = call && run.inFlight.get(call)?.child;
  if (!call || !child?.state.ended) return null;
  const { call_id, iteration, instance } = call;
  return { kind: "delegate_ended", call: { call_id, iteration, instance }, run_id: child.id };
}

function startOfCall(replay: Replaying, run: Run, event: Recorded<"call.started">): Input | null {
  const call = callOf(run, event.payload);
  const live = call && run.inFlight.get(call);
  if (!call) return run.asking?.requested != null ? streamed(replay, run, event) : null;
  switch (live?.kind) {
    case "retry":
      return { kind: "retry_due", ticket: live.ticket };
    case "approval": {
      const grant = event.payload.confirmation_id ?? null;
      return { kind: "approval_found", ticket: live.ticket, grant, before: null, others: [] };
    }
    case "recording":
      return { kind: "recording_found", ticket: live.ticket, recorded: recordingOf(replay, run, event) };
    default:
      return null;
  }
}

/** A call that started while its plan was streaming: as it stands in the plan, if it does. */
function streamed(replay: Replaying, run: Run, { payload }: Recorded<"call.started">): Input | null {
  const { asking } = run;
  if (!asking) return null;
  const { call_id, tool, params } = payload;
  const planned = planAhead(replay, run, call_id);
  const call = planned.find(({ _id, _tool }) => _id === call_id && _tool === tool);
  const alone: JsonObject = { _id: call_id, _tool: tool, ...(isJsonObject(params) ? params : {}) };
  return { kind: "call_streamed", ticket: asking.ticket, call: call ?? alone, context: contextNow(run.state) };
}

/** The calls of the plan that is streaming; none if this one was dropped with its plan. */
function planAhead(replay: Replaying, run: Run, callId: string): Recorded<"plan.proposed">["payload"]["calls"] {
  for (const { type, payload } of replay.ahead(run)) {
    if (type === "plan.proposed") return payload.calls;
    if (type === "call.cancelled" && payload.call_id === callId) break;
  }
  return [];
}

/** How the call that starts here ended where it was recorded; null if it was carried out. */
function recordingOf(
  replay: Replaying,
  run: Run,
  event: Recorded<"call.started">,
): InputOf<"recording_found">["recorded"] {
  const { call_id, iteration, instance } = event.payload;
  for (const { type, payload } of replay.ahead(run)) {
    if (type !== "call.succeeded" && type !== "call.failed" && type !== "call.superseded") continue;
    const isSame = payload.call_id === call_id && payload.iteration === iteration && payload.instance === instance;
    if (!isSame || !payload.recorded) continue;
    const { recorded: at, branch = null, error, output = null } = payload;
    const result = type === "call.failed" && error ? ({ ok: false, error } as const) : ({ ok: true, output } as const);
    return { at, branch, result };
  }
  return null;
}

function progressOf(run: Run, { payload }: Recorded<"call.progressed">): Input | null {
  const ticket = ticketOf(run, (attempt) => attempt.call.call_id === payload.call_id, payload);
  const { progress: part = null, message = null } = payload;
  return ticket === null ? null : { kind: "attempt_progressed", ticket, part, message };
}

/** The ticket of a call's attempt that is running or was aborted. */
function ticketOf(run: Run, isOne: (attempt: { call: RunCall }) => boolean, place: Place): number | null {
  const { instance, iteration } = placeOf(run, place);
  for (const [ticket, attempt] of run.attempts) {
    const { call } = attempt;
    if (isOne(attempt) && call.instance === instance && call.iteration === iteration) return ticket;
  }
  return null;
}

/** A result that came after its call had ended. */
function lateEnd(run: Run, { payload }: Recorded<"log">): Input | null {
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

function readFailure({ code, message }: JsonObject): Failure {
  return { code: String(code), message: String(message) };
}

/** What the lookup of an earlier approval found: none, and the values that the call would replace. */
function approvalFor(replay: Replaying, run: Run, call: RunCall | undefined): Input | null {
  const live = call && run.inFlight.get(call);
  if (live?.kind !== "approval") return null;
  const asked = replay
    .ahead(run)
    .find(
      (event): event is Recorded<"confirmation.requested"> =>
        event.type === "confirmation.requested" && callOf(run, { call_id: "", ...event.payload }) === call,
    );
  return {
    kind: "approval_found",
    ticket: live.ticket,
    grant: null,
    before: asked?.payload.before ?? null,
    others: [],
  };
}

function unstarted(run: Run, { payload }: Recorded<"call.skipped" | "call.blocked">): Input | null {
  const call = callOf(run, payload);
  const live = call && run.inFlight.get(call);
  if (live?.kind === "recording") return { kind: "recording_found", ticket: live.ticket, recorded: null };
  const pending = live?.kind === "approval" ? run.lookups.get(live.ticket) : undefined;
  if (!live || !pending) return null;
  return {
    kind: "approval_found",
    ticket: live.ticket,
    grant: null,
    before: null,
    others: sameAwaits(run, pending, payload.reason),
  };
}

/** Another run of the user waits for the approval of the same action. */
function sameAwaits(run: Run, pending: PendingStart, reason = "") {
  const [before = "", after = ""] = REASONS.sameAwaits("\n").split("\n");
  if (!reason.startsWith(before)) return [];
  return [{ run_id: "", id: "", key: reason.slice(before.length, -after.length), action: actionOf(run, pending) }];
}

function decisionOf(
  replay: Replaying,
  decision: Decision["decision"],
  { actor, payload }: Recorded<"confirmation.approved" | "confirmation.denied">,
): Input {
  const { reason = null, action = null, result, decided_by } = payload;
  const decided: Decision = { decision, reason, action, result, actor: actor ?? decided_by ?? "" };
  return { kind: "decide", confirmation_id: replay.ids.replayed(payload.confirmation_id), decision: decided };
}

/** A person denied it, the system withdrew it, or its run was ended. */
function denialOf(replay: Replaying, run: Run, event: Recorded<"confirmation.denied">): Input | null {
  const { payload, actor } = event;
  if (actor !== "system") return decisionOf(replay, "deny", event);
  if (run.termination !== null || run.root.termination !== null) return null;
  for (let each: Run | undefined = run; each; each = each.parent?.run)
    if (endingOf(replay, each)?.reason === payload.reason) return null;
  const end = endOf(replay, run.root);
  if (end?.type === "run.failed" && isJsonObject(end.payload.error) && end.payload.error.code === "budget_spent")
    return null;
  // It gives way to another request of the same run.
  for (const next of replay.ahead(run)) {
    if (next.type === "call.parked") {
      const found = approvalFor(replay, run, callOf(run, next.payload));
      if (found && payload.reason?.startsWith(REASONS.replaced(""))) return found;
    }
    if (next.type !== "call.parked" && next.type !== "call.denied" && next.type !== "confirmation.denied") break;
  }
  const confirmation_id = replay.ids.replayed(payload.confirmation_id);
  return { kind: "withdraw", confirmation_id, reason: payload.reason ?? "" };
}

/** A request to a model, for a plan or for a latent tool's result. */
function requestOf(replay: Replaying, run: Run, event: Recorded<"selfcheck.warned" | "prompt.rendered">): Input | null {
  const warnings = event.type === "selfcheck.warned" ? event.payload.warnings : null;
  const [rendered, ...more] = replay.ahead(run).slice(warnings === null ? 0 : 1);
  if (rendered?.type !== "prompt.rendered") return null;
  const { call_id, iteration, instance } = rendered.payload;
  const requested = requestedIn(rendered, more);
  if (call_id === undefined)
    return run.asking && { kind: "plan_requested", ticket: run.asking.ticket, requested, warnings };
  const call = callOf(run, { call_id, iteration, instance });
  const [ticket] = [...run.questions].find(([, question]) => question.call === call) ?? [];
  return ticket === undefined ? null : { kind: "result_requested", ticket, requested };
}

function requestedIn({ payload }: Recorded<"prompt.rendered">, more: readonly RecordedEvent[]): Requested {
  const { iteration: _iteration, call_id: _call, instance: _instance, ...rendered } = payload;
  const told: Requested = {
    prompt: { rendered: plain(rendered), truncated: null, missing: [] },
    input: null,
    previous_response_id: null,
    told: null,
  };
  for (const next of more) {
    if (next.type === "history.truncated") {
      const { iteration: _of, ...truncated } = next.payload;
      told.prompt.truncated = truncated;
    } else if (next.type === "placeholder.missing") told.prompt.missing = next.payload.names;
    else if (next.type === "model.requested") {
      const { input = null, previous_response_id = null } = next.payload;
      return { ...told, input, previous_response_id };
    } else break;
  }
  return cannot("A request to a model is not recorded");
}

/** As it stands in the log: without fields that are undefined. */
function plain<T>(value: T): T & JsonObject {
  return JSON.parse(JSON.stringify(value));
}

function answerOf(replay: Replaying, run: Run, { payload, caused_by }: Recorded<"model.responded">): Input | null {
  const answer = readAnswer(payload);
  const cause = replay.ids.replayed(caused_by ?? "");
  const [ticket, question] = [...run.questions].find(([, asked]) => asked.caused_by === cause) ?? [];
  if (ticket !== undefined && question) {
    const tool = run.tools.tool(question.call.tool);
    return tool ? { kind: "result_came", ticket, produced: readResult(answer, tool), answer } : null;
  }
  const { asking, state, tools } = run;
  if (asking?.requested !== cause) return null;
  const { answers, output_schema } = state.settings;
  const asked = { ask: answers === null ? "plan" : "text", tools: tools.list(), output_schema } as const;
  return { kind: "plan_came", ticket: asking.ticket, proposal: { ...readSolution(answer, asked), answer } };
}

function readAnswer(payload: Recorded<"model.responded">["payload"]): ModelAnswer {
  const { output, response_id = "", input_tokens = 0, output_tokens = 0, finish_reason = null } = payload;
  const { text, calls } = isJsonObject(output) ? output : {};
  return {
    text: typeof text === "string" ? text : "",
    calls: Array.isArray(calls) ? calls.flatMap(nativeCall) : [],
    output: [],
    ...{ response_id, input_tokens, output_tokens, finish_reason },
  };
}

function nativeCall(call: Json): ModelAnswer["calls"] {
  if (!isJsonObject(call)) return [];
  const { call_id, name, arguments: given } = call;
  return [{ call_id: String(call_id), name: String(name), arguments: String(given) }];
}

function failureOf(replay: Replaying, run: Run, { payload, caused_by }: Recorded<"model.failed">): Input | null {
  const { error = "" } = payload;
  const failure = typeof error === "string" ? { code: "model_failed", message: error } : error;
  const cause = replay.ids.replayed(caused_by ?? "");
  const [ticket] = [...run.questions].find(([, asked]) => asked.caused_by === cause) ?? [];
  if (ticket !== undefined) return { kind: "result_failed", ticket, why: { kind: "model", failure } };
  return run.asking && { kind: "plan_failed", ticket: run.asking.ticket, why: { kind: "model", failure } };
}

/** Its turn came, or a person resumed it; otherwise it goes on of itself. */
function resumption(run: Run, { payload, actor }: Recorded<"run.resumed">): Input | null {
  const { reason, calls, queued = false } = payload;
  if (reason === REASONS.turnCame()) return { kind: "turn_came", held: true };
  if (calls === undefined) return null;
  const failed = calls.flatMap((place) => {
    const call = callOf(run, place);
    const isFailed = call?.status === "failed" || call?.status === "cancelled";
    return isFailed ? [placeOf(run, place)] : [];
  });
  return { kind: "resume", calls: failed, actor: actor ?? "", held: !queued };
}

/** What the director answered; null if it is not asked. */
function directionOf(replay: Replaying, run: Run): Input | null {
  const { asking } = run;
  if (!asking || !run.state.settings.directed || asking.requested !== null) return null;
  const events: DialogEvent[] = [];
  for (const event of replay.ahead(run)) {
    const told = event.actor === "system" ? dialogEvent(event) : null;
    if (told) events.push(told);
    else if (event.type === "run.iteration" && event.payload.speaker) {
      const direction = { kind: "ask", speaker: speakerOf(event.payload.speaker), events } as const;
      return { kind: "directed", ticket: asking.ticket, direction };
    } else break;
  }
  const end = endOf(replay, run);
  if (end?.type !== "run.finished") return null;
  const text = typeof end.payload.output === "string" ? end.payload.output : "";
  return { kind: "directed", ticket: asking.ticket, direction: { kind: "answer", text, events } };
}

function dialogEvent({ type, payload }: RecordedEvent): DialogEvent | null {
  switch (type) {
    case "stage.entered":
      return { type, payload: plain(payload) };
    case "stage.changed":
      return { type, payload: plain(payload) };
    case "agent_state.written":
      return { type, payload: plain(payload) };
    default:
      return null;
  }
}

function speakerOf(printed: NonNullable<Recorded<"run.iteration">["payload"]["speaker"]>): Speaker {
  const { timezone = null, allowed_tools: tools = null, prefix = "", silent = false, note = null } = printed;
  const { agent_id, agent_version = null, node, instructions, mode, max_iterations, configuration = null } = printed;
  const history = { max_tokens: null, max_chars: null, max_messages: null, ...printed.history };
  return {
    agent_id,
    agent_version,
    node,
    instructions,
    mode,
    max_iterations,
    configuration,
    history,
    timezone,
    tools,
    prefix,
    silent,
    note,
  };
}

/** A model or a director was to be asked, and the run ended instead. */
function unasked(replay: Replaying, run: Run): Input | null {
  const { asking } = run;
  if (!asking || run.termination !== null) return null;
  const end = endOf(replay, run);
  if (end?.type === "run.finished") return directionOf(replay, run);
  if (end?.type !== "run.failed" || !isJsonObject(end.payload.error)) return null;
  const { code, message } = readFailure(end.payload.error);
  const { ticket } = asking;
  if (code === DIALOG_FAILED) {
    const cause = message.replace(/^.*?: /, "").replace(/; [^;]*$/, "");
    return { kind: "direction_failed", ticket, message: cause };
  }
  if (code === SPENT) {
    const alert = replay.ahead(run)[0]?.type === "manager.alerted";
    return { kind: "plan_failed", ticket, why: { kind: "allowance", code, message, alert } };
  }
  return asking.requested === null ? { kind: "plan_failed", ticket, why: { kind: "prompt", code, message } } : null;
}
