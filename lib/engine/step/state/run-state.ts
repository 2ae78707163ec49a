import { instancesOf } from "../../../plan/context.ts";
import type { Context } from "../../../plan/message.ts";
import { endingOf } from "../../../plan/schedule/ending.ts";
import type { Scope } from "../../../plan/scope.ts";
import type { Payload } from "../../../session/events/catalogue.ts";
import { DEFINITIONS } from "../../../session/events/definitions.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import type { CallStatus, Failure, RunStatus } from "../../../session/session.ts";
import type { CallPlace, RunMode } from "../../engine.ts";
import { ESCALATED } from "../reasons.ts";
import { adoptEarly, applyCall, type EarlyCall } from "./apply-call.ts";
import { applyConfirmation, type Confirmations } from "./apply-confirmation.ts";
import type { BudgetUse } from "./budget.ts";
import { Chain } from "./chain.ts";
import type { Termination } from "./in-flight.ts";
import { type MemoryNote, notesOf } from "./memory-notes.ts";
import { historyOf, type LastIteration, lastOf, type Rejection } from "./planning-input.ts";
import { earlierKey, type RunCall } from "./run-call.ts";
import { type RunEvent, steersRun } from "./run-event.ts";
import type { RunMemory } from "./run-memory.ts";
import { type InstancePlan, type Proposed, planInstancesInParts } from "./run-plan.ts";
import { RunReads } from "./run-reads.ts";
import { type RunSettings, readSettings, spokenBy } from "./run-settings.ts";
import { Spoken } from "./spoken.ts";

const NO_SETTINGS: RunSettings = readSettings({});

/**
 * The state of a run, folded from its events. It changes only by `apply`, while the run is active and in recovery alike
 * (P23).
 */
export class RunState {
  readonly id: string;
  readonly conversation_id: string;
  readonly parent_run_id: string | null;
  /** Whose run it is; in a directed turn, who speaks in it or did last. */
  agent_id: string | null;
  /** Shared by a top-level run and its delegates' runs. */
  readonly use: BudgetUse;
  /** Shared likewise. */
  readonly memory: RunMemory;
  settings: RunSettings = NO_SETTINGS;
  status: RunStatus = "queued";
  error: Failure | null = null;
  output: Json | undefined;
  /** The call of the parent that it carries out; null for a top-level run. */
  parent_call: CallPlace | null = null;
  /** The event that it began by: of a delegate's run, the start of that call. */
  started_by: string | null = null;
  /** Its plans are asked of a model (P19), not given. */
  by_model = false;
  iteration = 0;
  /** Of this iteration; null while there is none. */
  proposed: Proposed | null = null;
  /** Problems that were recorded with the plan, including errors of the proposal. */
  notes: Json[] = [];
  rejection: Rejection | null = null;
  /** The outcome of the last iteration, for the model. */
  last: LastIteration = lastOf();
  /** Native calls of earlier iterations with their results, as the next request repeats them (P19a). */
  readonly history: JsonObject[] = [];
  /** The chain of responses that the provider stores for this part of the turn (D7). */
  readonly chain = new Chain();
  /** Calls that succeeded in earlier iterations, by instance and id (P19b). */
  readonly earlier = new Map<string, RunCall[]>();
  readonly early = new Map<string, EarlyCall>();
  readonly confirmations: Confirmations = new Map();
  /** Calls that have ended since they were drained. */
  endings: RunCall[] = [];
  /** How many calls of the plan are in each status. */
  readonly counts = new Map<CallStatus, number>();
  /** The newest event that can cause later ones. Writes and log entries cannot. */
  latest: string | null = null;
  /** The event by which the calls of the plan are planned: the plan is valid, or a person resumed some of its calls. */
  planned_by: string | null = null;
  /** Notes that are not in its user's memory yet. */
  notes_to_keep: MemoryNote[] = [];
  /** Confirmations that its user was notified of. */
  readonly told = new Set<string>();
  /** Of the newest check of the memory. */
  warnings: string[] = [];
  /** Of a directed turn: what has been said in it (D1). */
  readonly spoken = new Spoken();
  /** Its end has begun: some of its calls were cancelled, and the others will be. */
  closing: (Termination & { caused_by: string | null }) | null = null;
  /** It was escalated to a manager (D9). */
  alerted = false;
  /** Its user was notified of the escalation. */
  escalated = false;
  /** It has sent its user a message. */
  spoke = false;
  /** How often early calls were dropped with their plan, by place. */
  readonly dropped = new Map<string, number>();
  /** The model's last answer, and the one with this iteration's plan. */
  #answer: Json = null;
  #planAnswer: Json = null;
  /** No call of this iteration has begun: what it reads of the memory may still be brought up to date (M15). */
  #isFresh = true;
  readonly #reads = new RunReads();
  #plan: Map<string, InstancePlan> | null = null;
  /** The generator that reads the plan; null when it is done. */
  #reading: Generator<void, Map<string, InstancePlan>> | null = null;
  #open = 0;

  constructor(
    identity: { id: string; conversation_id: string; parent_run_id: string | null; agent_id: string | null },
    use: BudgetUse,
    memory: RunMemory,
  ) {
    this.id = identity.id;
    this.conversation_id = identity.conversation_id;
    this.parent_run_id = identity.parent_run_id;
    this.agent_id = identity.agent_id;
    this.use = use;
    this.memory = memory;
  }

  get mode(): RunMode {
    return this.settings.mode;
  }

  get ended(): boolean {
    return this.status === "finished" || this.status === "failed" || this.status === "cancelled";
  }

  /** The valid plan of this iteration, by instance; null if there is none. */
  get plan(): ReadonlyMap<string, InstancePlan> | null {
    while (this.#reading) this.#readOn(this.#reading);
    return this.#plan;
  }

  /** The plan is not read to its end. */
  get isReading(): boolean {
    return this.#reading !== null;
  }

  /** Calls of the plan that have not ended. */
  get open(): number {
    return this.plan === null ? 0 : this.#open;
  }

  /** Reads the plan in parts, so that it does not block the event loop. `plan` reads the rest at once. */
  *readPlan(): Generator<void, void> {
    while (this.#reading) yield this.#readOn(this.#reading);
  }

  /** The instances of its context (P25); `[""]` when there are none. */
  get instances(): string[] {
    return instancesOf(this.settings.context);
  }

  /** What it began with, and in a top-level run its user's memory as this iteration found it (M15). */
  get context(): Context {
    return this.#reads.context;
  }

  /** The states of all instances, as they are now. */
  get states(): ReadonlyMap<string, Json> {
    return this.#reads.states;
  }

  /** An instance's own state, as it is now: copy what is handed on. */
  state(instance: string): Json | undefined {
    return this.#reads.states.get(instance);
  }

  /** What an instance's calls read, as it is now (P14b). */
  scope(instance: string): Scope {
    return this.#reads.scope(instance);
  }

  /** A call of this iteration's plan. */
  call({ call_id, iteration, instance }: CallPlace): RunCall | undefined {
    return iteration === this.iteration ? this.plan?.get(instance)?.calls.get(call_id) : undefined;
  }

  /** Every call of this iteration's plan, instance by instance. */
  *calls(): Generator<RunCall> {
    for (const { calls } of this.plan?.values() ?? []) yield* calls.values();
  }

  /** Applies an event of this run that occurred `at`, in the order of the log. */
  apply(event: RunEvent, at = timeOf(event)): void {
    // What lies before it was not the run's time: it waited for a person, had ended, or there was no process.
    if (at !== null && event.type === "run.resumed") this.use.skipTo(at);
    else if (at !== null) this.use.touch(at);
    if (DEFINITIONS[event.type].causes) this.latest = event.id;
    if (this.settings.user_id !== null) this.notes_to_keep.push(...notesOf(this, event));
    this.chain.apply(event);
    this.spoken.apply(this, event);
    if (!steersRun(event)) return;
    switch (event.type) {
      case "run.started":
        this.settings = readSettings(event.payload);
        this.#reads.begin(this.settings.context);
        this.started_by = event.caused_by;
        if (event.payload.call_id !== undefined)
          this.parent_call = { call_id: event.payload.call_id, iteration: 0, instance: event.payload.instance ?? "" };
        return this.#setStatus(event.payload.queued ? "queued" : "running", at);
      case "delegate.started":
        if (this.parent_call) this.parent_call.iteration = event.payload.iteration ?? 0;
        return;
      case "run.iteration":
        return this.#iterate(event.payload.iteration ?? this.iteration + 1, event.payload.speaker);
      case "run.waiting":
        return this.#setStatus("waiting", at);
      case "run.resumed":
        if (event.payload.calls) this.planned_by = event.id;
        return this.#resume(event.payload, at);
      case "run.finished":
        this.alerted ||= event.payload.reason === ESCALATED;
        this.output = event.payload.output;
        return this.#setStatus("finished", at);
      case "run.failed":
        this.error = failureOf(event.payload.error);
        return this.#setStatus("failed", at);
      case "run.cancelled":
        return this.#setStatus("cancelled", at);
      case "state.written":
        this.#readBefore();
        return this.#reads.write(event.payload.instance ?? "", event.payload.path, event.payload.value);
      case "model.requested":
        if (this.proposed === null) this.by_model = true;
        return;
      case "model.responded":
        this.use.tokens += (event.payload.input_tokens ?? 0) + (event.payload.output_tokens ?? 0);
        this.#answer = event.payload.output ?? null;
        return;
      case "plan.proposed":
        this.proposed = { ...event.payload, output: event.payload.output };
        this.#planAnswer = this.#answer;
        return;
      case "plan.validated":
        this.planned_by = event.id;
        return this.#adopt(event.payload.outputs ?? [], event.payload.problems ?? []);
      case "plan.rejected":
        if (this.proposed) {
          const { problems = [], reason = "" } = event.payload;
          this.rejection = { proposed: this.proposed, problems, reason };
        }
        return;
      case "memory.updated":
        this.memory.apply(event.payload);
        this.notes_to_keep = [];
        if (this.#isFresh) this.#takeSnapshot();
        return;
      case "selfcheck.warned":
        this.warnings = event.payload.warnings;
        return;
      case "message.created":
        for (const id of awaitedIn(event.payload)) this.told.add(id);
        this.escalated ||= event.payload.metadata?.escalated === true;
        this.spoke ||= event.payload.role === "assistant";
        return;
      case "manager.alerted":
        this.alerted = true;
        return;
      case "call.started":
        this.use.calls += 1;
        return this.#applyCall(event);
      case "call.succeeded":
      case "call.failed":
      case "call.retried":
      case "call.skipped":
      case "call.blocked":
      case "call.parked":
      case "call.denied":
      case "call.superseded":
      case "call.cancelled":
        return this.#applyCall(event);
      case "confirmation.requested":
      case "confirmation.approved":
      case "confirmation.denied":
        return applyConfirmation(this, event);
      default:
        return event satisfies never;
    }
  }

  /** Changes a call's status; one that has ended is added to `endings`. */
  setCallStatus(call: RunCall, status: CallStatus): void {
    const wasOpen = endingOf(call) === null;
    this.#count(call.status, -1);
    call.status = status;
    this.#count(status, 1);
    const isOpen = endingOf(call) === null;
    if (wasOpen && !isOpen) this.endings.push(call);
    this.#open += Number(isOpen) - Number(wasOpen);
  }

  #applyCall(event: Parameters<typeof applyCall>[1]): void {
    this.#isFresh = false;
    const { closing, reason = "" } = event.payload;
    if (closing) {
      const { error = null, escalated } = closing;
      const { caused_by, actor } = event;
      this.closing = {
        reason,
        error,
        ...(escalated && { escalated }),
        actor: actor ?? "system",
        gently: false,
        caused_by,
      };
    }
    applyCall(this, event);
  }

  /** A plan is read against the state that it was validated against. */
  #readBefore(): void {
    void this.plan;
  }

  /** A delegate's run sees of the memory what its scopes let through (P27). */
  #takeSnapshot(): void {
    this.#readBefore();
    if (this.parent_run_id === null) this.#reads.remember(this.memory.document);
  }

  #setStatus(status: RunStatus, at: number | null): void {
    this.status = status;
    if (this.ended) this.closing = null;
    if (this.parent_run_id === null && at !== null) this.use.setActive(status === "running", at);
  }

  #iterate(iteration: number, speaker: Payload<"run.iteration">["speaker"]): void {
    this.last = { calls: [...this.calls()], notes: this.notes, rejection: this.rejection };
    if (this.by_model) {
      const items = historyOf(this.last, this.#planAnswer);
      this.history.push(...items);
      this.chain.answer(items);
    }
    this.#planAnswer = null;
    for (const call of this.last.calls) {
      if (call.status !== "succeeded") continue;
      const key = earlierKey(call);
      this.earlier.set(key, [...(this.earlier.get(key) ?? []), call]);
    }
    if (speaker) this.#startSpeaker(speaker);
    this.iteration = iteration;
    this.#isFresh = true;
    this.#takeSnapshot();
    this.dropped.clear();
    this.proposed = null;
    this.#plan = null;
    this.notes = [];
    this.rejection = null;
    this.counts.clear();
    this.#open = 0;
    this.endings = [];
  }

  /** The next speaker, even the same agent again, starts without the earlier calls (D6). */
  #startSpeaker(speaker: NonNullable<Payload<"run.iteration">["speaker"]>): void {
    this.agent_id = speaker.agent_id;
    this.settings = spokenBy(this.settings, speaker);
    this.history.length = 0;
    this.earlier.clear();
    this.last = lastOf(speaker.note);
    this.chain.begin();
  }

  #adopt(outputs: Parameters<typeof planInstancesInParts>[1], notes: Json[]): void {
    if (!this.proposed) return;
    this.notes = notes;
    this.#reading = planInstancesInParts(this.proposed, outputs, this.instances, (instance) => this.scope(instance));
  }

  #readOn(reading: Generator<void, Map<string, InstancePlan>>): void {
    const { done, value } = reading.next();
    if (!done) return;
    this.#reading = null;
    this.#plan = value;
    for (const call of this.calls()) {
      this.#count("planned", 1);
      this.#open += 1;
      adoptEarly(this, call);
    }
    this.early.clear();
  }

  /** Without `calls` it continues after a wait; otherwise a person runs them again (P24). */
  #resume({ calls, queued }: Payload<"run.resumed">, at: number | null): void {
    this.#setStatus(queued ? "queued" : "running", at);
    if (!calls) return;
    this.error = null;
    if (this.parent_run_id === null) this.use.restart();
    for (const { call_id, iteration = this.iteration, instance = "" } of calls) {
      const call = this.call({ call_id, iteration, instance });
      if (!call) continue;
      this.setCallStatus(call, "planned");
      Object.assign(call, { retries: 0, retry: null, error: null, handled: false, planned: false, reason: null });
    }
  }

  #count(status: CallStatus, change: number): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + change);
  }
}

function timeOf({ occurred_at }: RunEvent): number | null {
  return occurred_at === null ? null : Date.parse(occurred_at);
}

function failureOf(error: Failure | string | undefined): Failure | null {
  return typeof error === "string" ? { code: "failed", message: error } : (error ?? null);
}

/** The confirmations that a message to the user names. */
function awaitedIn({ metadata }: Payload<"message.created">): string[] {
  const awaits = metadata?.awaits;
  return Array.isArray(awaits) ? awaits.filter((id) => typeof id === "string") : [];
}
