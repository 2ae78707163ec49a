import { setImmediate as turn } from "node:timers/promises";
import type { NewEvent, RunHold } from "../../../db/repositories.ts";
import { inParts } from "../../event-loop/yielding.ts";
import { Halted, isTakenOver } from "../errors.ts";
import type { Turn as OwnerTurn } from "../ownership.ts";
import { placeKeyOf } from "../step/course/begin-run.ts";
import { restsNow } from "../step/course/turn-place.ts";
import type { Effect, ImmediateEffect } from "../step/effect.ts";
import type { Input, Turn } from "../step/input.ts";
import type { Run } from "../step/run.ts";
import { keyOf } from "../step/state/run-call.ts";
import type { RunState } from "../step/state/run-state.ts";
import type { Advance } from "../step/step.ts";
import { beginsRun, isConflict, isNotHeld, isStorageFull, type RetryPolicy } from "./append.ts";
import { carryOut } from "./carry-out.ts";
import { commitTick } from "./commit-tick.ts";
import type { EngineContext } from "./engine-context.ts";

/** Inputs per tick, about 20 ms: if many calls end at once, other requests are served in between. */
const INPUTS_AT_ONCE = 500;

/** An input for a run; a function if it depends on the state when it is applied. */
export type Posted = Input | (() => Input);

/** Of a top-level run that this replica carries on. */
export interface Owner {
  /** What its events are appended with. */
  hold: RunHold;
  /** The turn in which it is carried on; null if only for what is appended now. */
  turn: OwnerTurn | null;
  /** The position up to which what other replicas decided about it is known. */
  known: number;
}

/** What is still taken in before the run is handed on: the results of calls. */
const WHILE_DRAINING: ReadonlySet<string> = new Set<Input["kind"]>([
  ...(["attempt_ended", "attempt_timed_out", "attempt_progressed"] as const),
]);
/** How often a run that is to be handed on is looked at, ms. */
const DRAIN_LOOK_MS = 20;

/** The caller that waits until it is on disk. */
interface Asker {
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * Drives one run. All its inputs go through one mailbox: results, decisions, cancellations, timers. A tick applies the inputs
 * that have arrived and what they unblock, appends the events together, and carries out the effects when they are on disk
 * (P23). During an append, further inputs collect for the next tick.
 */
export class Runner {
  readonly engine: EngineContext;
  readonly run: Run;
  /** For a delegate's run: the runner of its parent. */
  readonly parent: Runner | null;
  /** Whether it is a turn; a user's turns run one after another. */
  isTurn = false;
  /** Of a top-level run; null where this process carries on all. */
  owner: Owner | null = null;
  /** Another replica carries it on. */
  isOvertaken = false;
  /** `paused`: what is posted waits. `draining`: nothing new starts. `recording`: only what it was created for is appended. */
  #mode: "active" | "paused" | "draining" | "recording" = "active";
  #mailbox: { posted: Posted; asker: Asker | null }[] = [];
  #events: NewEvent[] = [];
  #effects: Effect[] = [];
  /** Functions that abort running effects, by ticket. */
  readonly #stops = new Map<number, (reason: Error) => void>();
  /** Cancels the timer of its time limit. */
  #unwatch: (() => void) | null = null;
  /** Callers that wait for an input to be on disk, and those resolved with this tick. */
  readonly #asked = new Set<Asker>();
  #answered: Asker[] = [];
  #working: Promise<void> | null = null;
  /** The requested place in the queue was free: what waits for it continues in the same tick. */
  #isUnblocked = false;
  #halted = false;
  readonly #halting = Promise.withResolvers<void>();
  #isEndNotified = false;
  readonly #retryPolicy: RetryPolicy = {
    isStopping: () => this.#halted,
    stopping: this.#halting.promise,
    // Their requests take effect when there is disk space again, which may take long: they get the error now.
    onFull: (error) => this.#rejectWaiting(error),
  };
  /** Why nothing of the run is in the log: a manager has taken over its conversation, or one of its ids exists elsewhere. */
  #refused: Error | null = null;
  #waiters: (() => void)[] = [];
  #endWaiters: { resolve: () => void; reject: (reason: Error) => void }[] = [];

  constructor(engine: EngineContext, run: Run, parent: Runner | null) {
    this.engine = engine;
    this.run = run;
    this.parent = parent;
  }

  get state(): RunState {
    return this.run.state;
  }

  get hold(): RunHold | null {
    return this.owner?.hold ?? null;
  }

  get isHalted(): boolean {
    return this.#halted;
  }

  get root(): Runner {
    return this.parent?.root ?? this;
  }

  /** Whether, according to what is on disk, it has ended or waits only for approvals. */
  get settled(): boolean {
    return this.#working === null && (this.#halted || this.state.ended || this.state.status === "waiting");
  }

  /** Posts an input for the next tick. */
  post(posted: Posted): void {
    this.#post(posted, null);
  }

  /** The same; resolves when its events are on disk, and rejects if it is refused. */
  ask(posted: Posted): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#halted) return reject(this.#haltedError());
      const asker = { resolve, reject };
      this.#asked.add(asker);
      this.#post(posted, asker);
    });
  }

  #post(posted: Posted, asker: Asker | null): void {
    const mode = this.root.#mode;
    if (this.#halted || mode === "recording") return;
    this.#mailbox.push({ posted, asker });
    if (mode !== "paused") this.#working ??= this.#work();
  }

  /** Appends what inputs bring about and drops the run: whoever carries it on acts on it. */
  async record(inputs: readonly Input[]): Promise<void> {
    this.#mode = "recording";
    try {
      for (const input of inputs) this.take(input);
      await this.#commit();
    } finally {
      await this.halt();
    }
  }

  /** Whether it and its delegates' runs have ended or wait for a person, and nothing is left to be taken in. */
  get isAtRest(): boolean {
    return this.settled && this.#tree().every(({ isIdle }) => isIdle);
  }

  get isIdle(): boolean {
    return this.#working === null && this.#mailbox.length === 0;
  }

  /** The events that an input would bring about. Only for a run that is not carried on here. */
  preview(input: Input): NewEvent[] {
    this.#mode = "recording";
    this.take(input);
    return this.#events.splice(0);
  }

  /** Leaves what is posted to the run and its delegates' runs for later. */
  pause(): void {
    if (this.#mode === "active") this.#mode = "paused";
  }

  unpause(): void {
    if (this.#mode === "paused") this.#mode = "active";
    for (const runner of this.#tree()) runner.#lookIntoMailbox();
  }

  /** Starts nothing more and waits until running calls have ended, for `most_ms` at most. */
  async drain(mostMs: number): Promise<void> {
    this.#mode = "draining";
    const { clock } = this.engine.ports;
    const until = clock.now() + mostMs;
    const isBusy = () => [...this.run.runs()].some(({ attempts }) => attempts.values().some(({ isOver }) => !isOver));
    while (!this.#halted && isBusy() && clock.now() < until)
      await new Promise<void>((resolve) => clock.later(DRAIN_LOOK_MS, resolve));
  }

  /** Halts it with its delegates' runs: another replica carries them on. */
  async drop(options?: { isStop: boolean }): Promise<void> {
    await Promise.all(this.#tree().map((runner) => runner.halt(options)));
  }

  /** Its runner and those of its delegates' active runs. */
  #tree(): Runner[] {
    return [...this.run.runs()].flatMap((run) => this.engine.runnerOf.get(run) ?? []);
  }

  #lookIntoMailbox(): void {
    if (this.#mailbox.length > 0 && !this.#halted) this.#working ??= this.#work();
  }

  /** Applies an input. Its events are appended with those of the tick. */
  take(input: Input | Advance): void {
    const { engine, run } = this;
    const moment = { at: engine.ports.clock.now(), seed: engine.nextSeed() };
    const { events, effects, immediate } = engine.step(run, input, moment);
    for (const event of events) this.#events.push(event);
    for (const effect of effects) this.#effects.push(effect);
    for (const effect of immediate) this.#carryOutAtOnce(effect);
  }

  /** Registers how to abort the effect of a ticket. */
  onStop(ticket: number, stop: (reason: Error) => void): void {
    this.#stops.set(ticket, stop);
  }

  /** The effect of a ticket has ended. */
  offStop(ticket: number): void {
    this.#stops.delete(ticket);
  }

  /** Requests a place in its user's turn queue, if it has one. Returns whether it got it at once. */
  enterLine(key: string | null): boolean {
    this.isTurn ||= key !== null;
    return key === null || this.engine.turns.enter(key, this, () => this.#turnCame());
  }

  /** The same for a run that had its place before, unless it still has it. */
  holdPlace(): boolean {
    const { held, key } = this.run.place;
    return held || this.enterLine(key);
  }

  /** Enqueues a recovered run again. One that waits for an approval is enqueued only when it can continue. */
  enterAgain(): Turn {
    const { state } = this;
    const key = placeKeyOf(state);
    if (key === null) return "none";
    this.isTurn = true;
    if (state.ended || state.status === "waiting") return "aside";
    if (!this.enterLine(key)) return "queued";
    this.#turnCame();
    return "held";
  }

  #turnCame(): void {
    this.post(() => ({ kind: "turn_came", held: this.engine.turns.isHeldBy(this) }));
  }

  #carryOutAtOnce(effect: ImmediateEffect): void {
    // Whoever carries the run on does it.
    if (this.root.#mode === "recording") return;
    const { engine } = this;
    switch (effect.kind) {
      case "wake":
        return engine.runnerOf.get(effect.run)?.post({ kind: "wake" });
      case "stop":
        return engine.runnerOf.get(effect.run)?.stopEffect(effect.ticket, effect.reason);
      case "watch_time":
        return engine.runnerOf.get(effect.run)?.watchTime(effect.after_ms);
      case "line_up": {
        const root = engine.runnerOf.get(effect.run);
        if (!root?.enterLine(effect.run.place.key)) return;
        root.take({ kind: "turn_held" });
        this.#isUnblocked = true;
        return;
      }
      case "release_grant":
        engine.grants.delete(effect.confirmation_id);
        return;
      case "open_run":
        return engine.open(effect.run, this).post(effect.input);
      default:
        return effect satisfies never;
    }
  }

  /** Aborts the effect of a ticket. */
  stopEffect(ticket: number, reason: string): void {
    this.#stops.get(ticket)?.(new Error(reason));
    this.#stops.delete(ticket);
  }

  /** Sets the timer of its time limit. */
  watchTime(afterMs: number | null): void {
    this.#unwatch?.();
    this.#unwatch = null;
    if (afterMs !== null) this.#unwatch = this.engine.ports.clock.later(afterMs, () => this.post({ kind: "time_due" }));
  }

  /** Resolves when the run has ended or waits for an approval. */
  whenSettled(): Promise<void> {
    return this.settled ? Promise.resolve() : new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Resolves when the run's end is on disk; rejects if it halts before. */
  whenEnded(): Promise<void> {
    if (this.#isEndNotified) return Promise.resolve();
    if (this.#halted) return Promise.reject(this.#haltedError());
    return new Promise((resolve, reject) => this.#endWaiters.push({ resolve, reject }));
  }

  /**
   * Stops the run in this process and aborts its effects; resolves when pending appends are on disk. When the server stops, that
   * includes what arrived while the disk was full.
   */
  async halt({ isStop }: { isStop: boolean } = { isStop: false }): Promise<void> {
    this.#halted = true;
    this.#halting.resolve();
    const { key } = this.run.place;
    if (key !== null) this.engine.turns.leave(key, this);
    if (!isStop) this.#mailbox = [];
    this.watchTime(null);
    const stopEffects = () => {
      const reason = new Error("The server is stopping");
      for (const stop of this.#stops.values()) stop(reason);
      this.#stops.clear();
    };
    // Results that have arrived count.
    if (!isStop || this.#mailbox.length === 0) stopEffects();
    await this.#working;
    stopEffects();
    this.#rejectWaiting();
    this.#settle();
  }

  async #work(): Promise<void> {
    // Inputs of the same turn of the event loop share a tick.
    await turn();
    try {
      while (this.#mailbox.length > 0 && !this.#halted) {
        await this.#tick();
        if (this.#mailbox.length > 0) await turn();
      }
      await this.#commitRest();
    } catch (error) {
      this.#haltAfter(error);
      // Its whole tree halts: the other runs must not continue from events that were not stored.
      for (const run of this.root.run.runs()) void this.engine.runnerOf.get(run)?.halt();
    }
    this.#working = null;
    if (this.#halted) this.#rejectWaiting();
    if (this.#mailbox.length > 0 && !this.#halted) this.#working = this.#work();
    else if (this.settled) this.#settle();
  }

  #haltAfter(error: unknown): void {
    const { id: run_id, conversation_id } = this.state;
    if (this.#refused) return this.#rejectWaiting(this.#refused);
    if (isNotHeld(error)) {
      this.root.isOvertaken = true;
      return;
    }
    if (isStorageFull(error)) this.#rejectWaiting(error);
    const place = { run_id, conversation_id };
    this.engine.ports.logger.error({ err: error, ...place }, "A run is halted; it will be recovered at the next start");
  }

  /** Appends the inputs that arrived before the halt, without their effects: the next process carries those out. */
  async #commitRest(): Promise<void> {
    for (const each of this.#mailbox.splice(0)) this.#takePosted(each);
    await this.#commit();
  }

  async #tick(): Promise<void> {
    const wasWaiting = this.state.status === "waiting";
    for (const each of this.#mailbox.splice(0, INPUTS_AT_ONCE)) {
      this.#takePosted(each);
      if (this.state.isReading && !this.state.ended) await inParts(this.state.readPlan());
    }
    const isDraining = this.root.#mode === "draining";
    if (!isDraining)
      do {
        this.#isUnblocked = false;
        this.take(ADVANCE);
      } while (this.#isUnblocked);
    await this.#commit();
    const effects = this.#effects;
    this.#effects = [];
    // Halted during the append: the next process carries out the effects.
    if (this.#halted || isDraining) return;
    if (effects.length > 0 && this.root.owner?.turn?.isSure() === false) return void this.root.drop();
    for (const effect of effects) carryOut(this, effect);
    this.root.#releaseTurn();
    if (this.state.ended) return this.#notifyEnded();
    this.#isEndNotified = false;
    const isWaiting = this.state.status === "waiting";
    if (isWaiting !== wasWaiting) this.#notifyParent(isWaiting);
  }

  #takePosted({ posted, asker }: { posted: Posted; asker: Asker | null }): void {
    const input = () => (typeof posted === "function" ? posted() : posted);
    if (asker === null) {
      this.#takeUnlessDraining(input());
      return;
    }
    try {
      if (!this.#takeUnlessDraining(input())) throw this.#haltedError();
      this.#answered.push(asker);
    } catch (error) {
      this.#asked.delete(asker);
      asker.reject(error);
    }
  }

  /** What is left out is for who carries the run on. */
  #takeUnlessDraining(input: Input): boolean {
    const isTaken = this.root.#mode !== "draining" || WHILE_DRAINING.has(input.kind);
    if (isTaken) this.take(input);
    return isTaken;
  }

  async #commit(): Promise<void> {
    const events = this.#events;
    this.#events = [];
    // Nothing is started by who does not hold the run any more, also without an event about it.
    const isChecked = this.root.owner !== null && this.#effects.length > 0;
    try {
      if (events.length > 0 || isChecked) await commitTick(this, events, this.#retryPolicy);
    } catch (error) {
      if (beginsRun(events) && (isTakenOver(error) || isConflict(error))) this.#refused = error;
      throw error;
    }
    for (const asker of this.#answered.splice(0)) {
      this.#asked.delete(asker);
      asker.resolve();
    }
  }

  /** While it waits for an approval, and after its end, its user's other turns continue. */
  #releaseTurn(): void {
    const { key } = this.run.place;
    if (key === null || !restsNow(this.run)) return;
    this.take({ kind: "turn_given_up" });
    this.engine.turns.leave(key, this);
  }

  #notifyEnded(): void {
    if (this.#isEndNotified) return;
    this.#isEndNotified = true;
    this.watchTime(null);
    for (const { resolve } of this.#endWaiters) resolve();
    this.#endWaiters = [];
    const { id: run_id, parent } = this.run;
    if (parent) this.parent?.post({ kind: "delegate_ended", call: keyOf(parent.call), run_id });
  }

  /** Rejects callers that wait for what can no longer happen. */
  #rejectWaiting(reason: Error = this.#haltedError()): void {
    for (const { reject } of this.#asked) reject(reason);
    for (const { reject } of this.#endWaiters) reject(reason);
    this.#asked.clear();
    this.#endWaiters = [];
  }

  #haltedError(): Error {
    const sentence = `The run ${this.state.id} is halted, because the server is stopping or cannot write; retry when it is back`;
    return this.#refused ?? new Halted(sentence);
  }

  #notifyParent(waiting: boolean): void {
    const { id: run_id, parent } = this.run;
    if (parent) this.parent?.post({ kind: "delegate_waits", call: keyOf(parent.call), run_id, waiting });
  }

  #settle(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
    if (this.state.ended || this.#halted) this.engine.remove(this);
    this.engine.turns.look();
  }
}

const ADVANCE: Advance = { kind: "advance" };
