import type { NewEvent } from "../../../db/repositories.ts";
import type { SessionEvent } from "../../session/event.ts";
import { isJsonObject } from "../../session/json/json.ts";
import type { Effect, ImmediateEffect } from "../step/effect.ts";
import type { StepEnv } from "../step/env.ts";
import type { Input, Moment } from "../step/input.ts";
import { REASONS } from "../step/reasons.ts";
import { newTree, Run } from "../step/run.ts";
import { BudgetUse } from "../step/state/budget.ts";
import { TreeReader } from "../step/state/found-tree.ts";
import { isRunEvent } from "../step/state/run-event.ts";
import { RunMemory } from "../step/state/run-memory.ts";
import { readSettings } from "../step/state/run-settings.ts";
import { RunState } from "../step/state/run-state.ts";
import { type Advance, type Stepped, step } from "../step/step.ts";
import { answeredBy, Toolset } from "../tools/toolset.ts";
import { beginningOf } from "./beginning.ts";
import { silentEnd } from "./call-ends.ts";
import { inputFor } from "./input-for.ts";
import { cannot, Ended, type Recorded, type RecordedEvent, type Replayed, type Replaying } from "./replaying.ts";
import { differenceOf, SameIds } from "./same-event.ts";

const ADVANCE: Advance = { kind: "advance" };

/**
 * Gives a recorded run's answers to today's engine: those of tools, models, persons and timers, at the times and in the order
 * of the record. What it decides has to be the recorded events. Pure: nothing is called and nothing is stored.
 *
 * `events` are those of a top-level run and of its delegates' runs, in log order. A run that has not ended is replayed as far
 * as the record goes.
 */
export function replayRun(events: readonly SessionEvent[], env: StepEnv): Replayed {
  try {
    return new Replay(events, env).run();
  } catch (error) {
    if (error instanceof Ended) return error.replayed;
    throw error;
  }
}

/** The recorded events of one run. */
interface Queue {
  events: RecordedEvent[];
  next: number;
}

class Replay implements Replaying {
  ids = new SameIds();
  readonly #env: StepEnv;
  readonly #given: readonly SessionEvent[];
  readonly #events: RecordedEvent[];
  readonly #queues = new Map<string, Queue>();
  /** The place of each event in its queue. */
  readonly #places = new Map<RecordedEvent, number>();
  readonly #rootId: string;
  /** How many events of the record have come again, in its order. */
  #done = 0;
  #root: Run;
  /** All runs by the ids that they have here. */
  readonly #runs = new Map<string, Run>();
  #steps = 0;
  #isRecovered = false;
  #sends: { to: Run; input: Input }[] = [];

  constructor(events: readonly SessionEvent[], env: StepEnv) {
    this.#env = env;
    this.#given = events;
    this.#events = events.map((event) => (isRunEvent(event) ? event : cannot(`It has an event ${event.type}`)));
    for (const event of this.#events) {
      const queue = this.#queues.get(event.run_id ?? "") ?? { events: [], next: 0 };
      this.#places.set(event, queue.events.length);
      queue.events.push(event);
      this.#queues.set(event.run_id ?? "", queue);
    }
    const started = this.#events.find(({ type }) => type === "run.started");
    if (started?.type !== "run.started" || started.run_id === null) cannot("Its beginning is not recorded");
    if (started.parent_run_id !== null) cannot("It belongs to a delegate");
    this.#rootId = started.run_id;
    const { conversation_id, agent_id } = started;
    if (conversation_id === null) cannot("It belongs to no conversation");
    const identity = { id: this.#rootId, conversation_id, parent_run_id: null, agent_id };
    const state = new RunState(identity, new BudgetUse(), new RunMemory());
    this.#root = new Run(newTree(env, null), state, this.#toolsOf(started), null);
    this.#runs.set(this.#rootId, this.#root);
  }

  run(): Replayed {
    this.#begin();
    let idle = 0;
    for (let event = this.#next(); event; event = this.#next()) {
      const before = this.#done;
      this.#giveOnce(event, idle);
      idle = this.#done > before || !this.#isLeft(event) ? 0 : idle + 1;
      if (idle > MOST_IDLE) this.#differs(event, null, "The engine does not do it any more");
    }
    return { outcome: "same" };
  }

  ahead(run: Run): readonly RecordedEvent[] {
    const { events, next } = this.#queueOf(this.ids.recorded(run.id));
    return events.slice(next);
  }

  sent(run: Run, kind: Input["kind"]): Input | null {
    const index = this.#sends.findIndex(({ to, input }) => to === run && input.kind === kind);
    return index < 0 ? null : (this.#sends.splice(index, 1)[0]?.input ?? null);
  }

  #toolsOf(started: Recorded<"run.started">): Toolset {
    const settings = readSettings(started.payload);
    return Toolset.of(this.#env.tools, this.#env.delegates, settings.tools, answeredBy(settings));
  }

  #begin(): void {
    const [first] = this.#events;
    if (first?.occurred_at == null) cannot("Its events have no times");
    const input = beginningOf(this.#queueOf(this.#rootId).events, this.#env, this.#root.toolset);
    this.#take(this.#root, input, first);
  }

  /** Takes one input for the next recorded event. */
  #giveOnce(event: RecordedEvent, idle: number): void {
    if (event.type === "memory.updated") return this.#remember(event);
    if (event.type === "run.started") return this.#open(event);
    const run = this.#runOf(event);
    this.#tellWaiting(run, event);
    if (event.type === "run.resumed" && event.payload.reason === REASONS.serverStarted()) return this.#recover(event);
    const chosen = inputFor(this, run, event);
    if (chosen) return void this.#take(chosen.run, chosen.input, event);
    const emitted = this.#take(run, ADVANCE, event);
    const silent = emitted || idle === 0 ? null : silentEnd(this, run);
    if (silent) return void this.#take(run, silent, event);
    // Its end may come from above.
    for (let above = run.parent?.run; !emitted && above; above = above.parent?.run) this.#take(above, ADVANCE, event);
    if (!emitted && run.root.state.settings.budget.time_ms !== undefined)
      this.#take(run.root, { kind: "time_due" }, event);
  }

  /** Stored with the events before it. */
  #remember(event: Recorded<"memory.updated">): void {
    const run = this.#runOf(event);
    this.ids.bind(event.id, event.id);
    step(run, { kind: "committed", updated: event }, this.#momentOf(event));
    this.#pass(event);
  }

  /** A delegate's run. */
  #open(event: RecordedEvent): void {
    const parent = this.#find(event.parent_run_id);
    const starts = [...(parent?.opening ?? [])];
    const cause = this.ids.replayed(event.caused_by ?? "");
    const [ticket] = starts.find(([, { call }]) => call.event_id === cause) ?? [];
    if (!parent || ticket === undefined) return this.#differs(event, null, "No call has opened this run");
    this.sent(parent, "open_delegate");
    this.#take(parent, { kind: "open_delegate", ticket }, event);
  }

  /** What the last process knew beyond the log is gone. */
  #recover(event: RecordedEvent): void {
    this.#isRecovered = true;
    const reader = new TreeReader();
    for (const earlier of this.#events) if (earlier !== event && !this.#isLeft(earlier)) reader.take(earlier);
    const { at } = this.#momentOf(event);
    const found = reader.end(at);
    const state = found.runs.get(this.#rootId);
    if (!state) return cannot("Its beginning is not recorded");
    // From here on the ids are those of the record.
    this.ids = new SameIds();
    this.#sends = [];
    this.#root = new Run(newTree(this.#env, found), state, this.#root.toolset, null);
    this.#runs.clear();
    this.#runs.set(this.#rootId, this.#root);
    const isQueued = this.ahead(this.#root).some(({ type, payload }) => type === "run.resumed" && isTurnCame(payload));
    this.#take(
      this.#root,
      { kind: "recovered", turn: isQueued ? "queued" : "held", manager: null, isNew: false },
      event,
    );
  }

  /** Takes an input, and compares what came of it; returns whether anything did. */
  #take(run: Run, input: Input | Advance, cause: RecordedEvent): boolean {
    const moment = this.#momentOf(cause);
    let stepped: Stepped;
    try {
      stepped = step(run, input, moment);
    } catch (error) {
      if (error instanceof Ended) throw error;
      this.#differs(cause, null, error instanceof Error ? error.message : String(error));
    }
    for (const event of stepped.events) this.#compare(run, event);
    for (const effect of stepped.effects) this.#keep(effect);
    if (stepped.events.length > 0 && !this.#isMemoryNext(run))
      step(run, { kind: "committed", updated: null }, this.#momentOf(cause));
    for (const effect of stepped.immediate) this.#carryOut(effect, cause);
    return stepped.events.length > 0;
  }

  #compare(run: Run, replayed: NewEvent): void {
    // A user's message belongs to the conversation.
    if (replayed.run_id === null) return;
    const runId = this.ids.recorded(run.id);
    const queue = this.#queueOf(runId);
    const recorded = queue.events[queue.next];
    if (!recorded) return this.#differs(null, replayed, "The engine goes on where the record ends");
    const where = differenceOf(replayed, recorded, this.ids);
    if (where !== null) this.#differs(recorded, replayed, where);
    this.#pass(recorded);
  }

  #keep(effect: Effect): void {
    if (effect.kind === "send" && typeof effect.to !== "string")
      this.#sends.push({ to: effect.to, input: effect.input });
  }

  #carryOut(effect: ImmediateEffect, cause: RecordedEvent): void {
    switch (effect.kind) {
      case "open_run": {
        const { run, input } = effect;
        this.#runs.set(run.id, run);
        if (input.kind === "begin") this.ids.bind(run.id, cause.run_id ?? "");
        this.#take(run, input, cause);
        return;
      }
      case "wake":
        return;
      case "line_up":
        // Where it had to wait, its turn is recorded.
        if (effect.run.place.begun && effect.run.state.status !== "queued") effect.run.place.held = true;
        return;
      case "stop":
      case "watch_time":
      case "release_grant":
        return;
      default:
        return effect satisfies never;
    }
  }

  /** Tells a run that a delegate's run waits for persons, or goes on again. */
  #tellWaiting(run: Run, event: RecordedEvent): void {
    for (const [{ call_id, iteration, instance }, { child, waiting }] of run.inFlight) {
      if (!child || child.state.ended) continue;
      const isWaiting = child.state.status === "waiting";
      if (isWaiting === waiting) continue;
      const call = { call_id, iteration, instance };
      this.#take(run, { kind: "delegate_waits", call, run_id: child.id, waiting: isWaiting }, event);
    }
  }

  /** The next recorded event that has not come again. */
  #next(): RecordedEvent | null {
    while (this.#done < this.#events.length) {
      const event = this.#events[this.#done];
      if (event && this.#isLeft(event)) return event;
      this.#done += 1;
    }
    return null;
  }

  #isLeft(event: RecordedEvent): boolean {
    const queue = this.#queueOf(event.run_id);
    return (this.#places.get(event) ?? 0) >= queue.next;
  }

  #pass(event: RecordedEvent): void {
    const queue = this.#queueOf(event.run_id);
    if (queue.events[queue.next] !== event) this.#differs(event, null, "It comes in another order");
    queue.next += 1;
  }

  #queueOf(runId: string | null): Queue {
    return this.#queues.get(runId ?? "") ?? { events: [], next: 0 };
  }

  #isMemoryNext(run: Run): boolean {
    const queue = this.#queueOf(this.ids.recorded(run.id));
    return queue.events[queue.next]?.type === "memory.updated";
  }

  #find(runId: string | null): Run | null {
    const id = runId === null ? null : this.ids.replayed(runId);
    return id === null ? null : (this.#runs.get(id) ?? null);
  }

  #runOf(event: RecordedEvent): Run {
    return this.#find(event.run_id) ?? this.#differs(event, null, "The engine does not have this run");
  }

  /** The time of an event as that of a step. The ids that it draws are any, but no other step's. */
  #momentOf({ occurred_at }: RecordedEvent): Moment {
    this.#steps += 1;
    return { at: occurred_at === null ? 0 : Date.parse(occurred_at), seed: [this.#steps, 0, 0, 0] };
  }

  #differs(recorded: SessionEvent | null, replayed: NewEvent | null, where: string): never {
    // What a process had in flight when it ended is not recorded.
    if (this.#isRecovered) return cannot("It was taken up after a restart, and differs from there on");
    if (this.#given.some(isTakenOver))
      return cannot("A manager took the conversation over, and what it said was left out");
    throw new Ended({ outcome: "differs", recorded, replayed, where });
  }
}

/** Ticks without an event: a long plan is scheduled in several, and some inputs only prepare what follows. */
const MOST_IDLE = 100;

function isTakenOver({ payload }: SessionEvent): boolean {
  const reason = isJsonObject(payload) ? payload.reason : null;
  return typeof reason === "string" && reason.startsWith(REASONS.takenOverBy(""));
}

function isTurnCame(payload: unknown): boolean {
  return (
    typeof payload === "object" && payload !== null && "reason" in payload && payload.reason === REASONS.turnCame()
  );
}
