import { setImmediate as turn } from "node:timers/promises";
import type { NewEvent } from "../../../db/repositories.ts";
import { inParts } from "../../event-loop/yielding.ts";
import { Halted, isTakenOver } from "../errors.ts";
import { placeKeyOf } from "../step/course/begin-run.ts";
import { restsNow } from "../step/course/turn-place.ts";
import type { Effect, ImmediateEffect } from "../step/effect.ts";
import type { Input, Turn } from "../step/input.ts";
import type { Run } from "../step/run.ts";
import { keyOf } from "../step/state/run-call.ts";
import type { RunState } from "../step/state/run-state.ts";
import type { Advance } from "../step/step.ts";
import { beginsRun, isConflict, isStorageFull, type RetryPolicy } from "./append.ts";
import { carryOut } from "./carry-out.ts";
import { commitTick } from "./commit-tick.ts";
import type { EngineContext } from "./engine-context.ts";

/** Inputs of one tick, about 20 ms: where many calls end at once, everybody else is served before the rest. */
const INPUTS_AT_ONCE = 500;

/** Something that has come for a run; made when its turn comes, where it depends on what is then. */
export type Posted = Input | (() => Input);

/** Who waits for it to be on disk. */
interface Asker {
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * Carries one run out. All that happens to it comes in through one mailbox: results, decisions, cancels, timers. A tick
 * steps through all that has come and what that unblocks, appends the events at once, and carries the effects out when
 * they are on disk (P23). While an append is under way, further inputs gather for the next tick.
 */
export class Runner {
  readonly engine: EngineContext;
  readonly run: Run;
  /** Of a delegate's run: who carries out the run whose call it carries out. */
  readonly parent: Runner | null;
  /** It is one of its user's turns, which run one after another. */
  isTurn = false;
  #mailbox: { posted: Posted; asker: Asker | null }[] = [];
  #events: NewEvent[] = [];
  #effects: Effect[] = [];
  /** How to let go of what is carried out, by its tickets. */
  readonly #stops = new Map<number, (reason: Error) => void>();
  /** Calls off the watch over its time. */
  #unwatch: (() => void) | null = null;
  /** Who waits for an input to be on disk, and who is answered when this tick is. */
  readonly #asked = new Set<Asker>();
  #answered: Asker[] = [];
  #working: Promise<void> | null = null;
  /** The place that it asked for was free: what waits for it goes on in the same tick. */
  #isUnblocked = false;
  #halted = false;
  readonly #halting = Promise.withResolvers<void>();
  #endTold = false;
  readonly #patience: RetryPolicy = {
    isStopping: () => this.#halted,
    stopping: this.#halting.promise,
    // What they asked for is done when there is room, but nobody knows when that is.
    onFull: (error) => this.#refuseWaiting(error),
  };
  /** Why nothing of the run is in the log: a manager has taken its conversation over, or an id of it exists elsewhere. */
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

  get root(): Runner {
    return this.parent?.root ?? this;
  }

  /** Waits for nothing but persons, or has ended, as far as what is on disk tells. */
  get settled(): boolean {
    return this.#working === null && (this.#halted || this.state.ended || this.state.status === "waiting");
  }

  /** Has something taken in with the next tick. */
  post(posted: Posted): void {
    this.#post(posted, null);
  }

  /** The same; resolves when what came of it is on disk, and rejects when it is refused. */
  ask(posted: Posted): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#halted) return reject(this.#whyHalted());
      const asker = { resolve, reject };
      this.#asked.add(asker);
      this.#post(posted, asker);
    });
  }

  #post(posted: Posted, asker: Asker | null): void {
    if (this.#halted) return;
    this.#mailbox.push({ posted, asker });
    this.#working ??= this.#work();
  }

  /** Steps through an input. Its events go to disk with those of the tick. */
  take(input: Input | Advance): void {
    const { engine, run } = this;
    const moment = { at: engine.ports.clock.now(), seed: engine.nextSeed() };
    const { events, effects, immediate } = engine.step(run, input, moment);
    for (const event of events) this.#events.push(event);
    for (const effect of effects) this.#effects.push(effect);
    for (const effect of immediate) this.#carryOutAtOnce(effect);
  }

  /** What is carried out by a ticket can be let go of. */
  onStop(ticket: number, stop: (reason: Error) => void): void {
    this.#stops.set(ticket, stop);
  }

  /** It has come to its end. */
  offStop(ticket: number): void {
    this.#stops.delete(ticket);
  }

  /** Asks for a place among the turns of its user, where it has any to wait for. Tells whether it is held at once. */
  enterLine(key: string | null): boolean {
    this.isTurn ||= key !== null;
    return key === null || this.engine.turns.enter(key, this, () => this.#turnCame());
  }

  /** The same of one that has had its place, unless it still has. */
  holdPlace(): boolean {
    const { held, key } = this.run.place;
    return held || this.enterLine(key);
  }

  /** Enters a run again that was restored from the log. One that waits for a person asks only when it can go on. */
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
    const { engine } = this;
    switch (effect.kind) {
      case "wake":
        return engine.runnerOf.get(effect.run)?.post({ kind: "wake" });
      case "stop":
        return engine.runnerOf.get(effect.run)?.letGo(effect.ticket, effect.reason);
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

  /** Lets go of what is carried out by a ticket. */
  letGo(ticket: number, reason: string): void {
    this.#stops.get(ticket)?.(new Error(reason));
    this.#stops.delete(ticket);
  }

  /** Calls the run when its time is spent. */
  watchTime(afterMs: number | null): void {
    this.#unwatch?.();
    this.#unwatch = null;
    if (afterMs !== null) this.#unwatch = this.engine.ports.clock.later(afterMs, () => this.post({ kind: "time_due" }));
  }

  /** Resolves when the run has ended or waits for a person. */
  whenSettled(): Promise<void> {
    return this.settled ? Promise.resolve() : new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Resolves when the run's end is on disk; rejects when it stands still before that. */
  whenEnded(): Promise<void> {
    if (this.#endTold) return Promise.resolve();
    if (this.#halted) return Promise.reject(this.#whyHalted());
    return new Promise((resolve, reject) => this.#endWaiters.push({ resolve, reject }));
  }

  /**
   * Does nothing more, and lets go of what runs; resolves when what was on its way to disk is there. Where the server stops,
   * that is also what has come while the disk took nothing.
   */
  async halt({ isStop }: { isStop: boolean } = { isStop: false }): Promise<void> {
    this.#halted = true;
    this.#halting.resolve();
    const { key } = this.run.place;
    if (key !== null) this.engine.turns.leave(key, this);
    if (!isStop) this.#mailbox = [];
    this.watchTime(null);
    const letGo = () => {
      const reason = new Error("The server is stopping");
      for (const stop of this.#stops.values()) stop(reason);
      this.#stops.clear();
    };
    // What has answered already counts as answered.
    if (!isStop || this.#mailbox.length === 0) letGo();
    await this.#working;
    letGo();
    this.#refuseWaiting();
    this.#settle();
  }

  async #work(): Promise<void> {
    // What arrives in the same turn of the event loop goes into the same tick.
    await turn();
    try {
      while (this.#mailbox.length > 0 && !this.#halted) {
        await this.#tick();
        if (this.#mailbox.length > 0) await turn();
      }
      await this.#tellRest();
    } catch (error) {
      this.#standStill(error);
      // What it cannot tell, the runs that it belongs with must not build on.
      for (const run of this.root.run.runs()) void this.engine.runnerOf.get(run)?.halt();
    }
    this.#working = null;
    if (this.#halted) this.#refuseWaiting();
    if (this.#mailbox.length > 0 && !this.#halted) this.#working = this.#work();
    else if (this.settled) this.#settle();
  }

  #standStill(error: unknown): void {
    const { id: run_id, conversation_id } = this.state;
    if (this.#refused) return this.#refuseWaiting(this.#refused);
    if (isStorageFull(error)) this.#refuseWaiting(error);
    const place = { run_id, conversation_id };
    this.engine.ports.logger.error({ err: error, ...place }, "A run is halted; it will be recovered at the next start");
  }

  /** What came before the halt, and nothing that would follow from it: that is begun by the next process. */
  async #tellRest(): Promise<void> {
    for (const each of this.#mailbox.splice(0)) this.#takePosted(each);
    await this.#commit();
  }

  async #tick(): Promise<void> {
    const wasWaiting = this.state.status === "waiting";
    for (const each of this.#mailbox.splice(0, INPUTS_AT_ONCE)) {
      this.#takePosted(each);
      if (this.state.isReading && !this.state.ended) await inParts(this.state.readPlan());
    }
    do {
      this.#isUnblocked = false;
      this.take(ADVANCE);
    } while (this.#isUnblocked);
    await this.#commit();
    const effects = this.#effects;
    this.#effects = [];
    // Stopped while the events went to disk: the next process takes the effects up.
    if (this.#halted) return;
    for (const effect of effects) carryOut(this, effect);
    this.root.#rest();
    if (this.state.ended) return this.#tellEnd();
    this.#endTold = false;
    const isWaiting = this.state.status === "waiting";
    if (isWaiting !== wasWaiting) this.#tellParent(isWaiting);
  }

  #takePosted({ posted, asker }: { posted: Posted; asker: Asker | null }): void {
    if (asker === null) return this.take(typeof posted === "function" ? posted() : posted);
    try {
      this.take(typeof posted === "function" ? posted() : posted);
      this.#answered.push(asker);
    } catch (error) {
      this.#asked.delete(asker);
      asker.reject(error);
    }
  }

  async #commit(): Promise<void> {
    const events = this.#events;
    this.#events = [];
    try {
      if (events.length > 0) await commitTick(this, events, this.#patience);
    } catch (error) {
      if (beginsRun(events) && (isTakenOver(error) || isConflict(error))) this.#refused = error;
      throw error;
    }
    for (const asker of this.#answered.splice(0)) {
      this.#asked.delete(asker);
      asker.resolve();
    }
  }

  /** While it waits for a person, and when it has ended, its user's other turns go on. */
  #rest(): void {
    const { key } = this.run.place;
    if (key === null || !restsNow(this.run)) return;
    this.take({ kind: "turn_given_up" });
    this.engine.turns.leave(key, this);
  }

  #tellEnd(): void {
    if (this.#endTold) return;
    this.#endTold = true;
    this.watchTime(null);
    for (const { resolve } of this.#endWaiters) resolve();
    this.#endWaiters = [];
    const { id: run_id, parent } = this.run;
    if (parent) this.parent?.post({ kind: "delegate_ended", call: keyOf(parent.call), run_id });
  }

  /** Nobody waits for what cannot come any more. */
  #refuseWaiting(reason: Error = this.#whyHalted()): void {
    for (const { reject } of this.#asked) reject(reason);
    for (const { reject } of this.#endWaiters) reject(reason);
    this.#asked.clear();
    this.#endWaiters = [];
  }

  #whyHalted(): Error {
    const sentence = `The run ${this.state.id} is halted, because the server is stopping or cannot write; retry when it is back`;
    return this.#refused ?? new Halted(sentence);
  }

  #tellParent(waiting: boolean): void {
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
