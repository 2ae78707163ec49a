import { setImmediate as turn } from "node:timers/promises";
import { inParts } from "../../event-loop/yielding.ts";
import { Progress } from "../../plan/progress.ts";
import { isTakenOver, Refused } from "../errors.ts";
import type { Toolset } from "../tools/toolset.ts";
import { advance } from "./advance.ts";
import { isStorageFull, type RetryPolicy } from "./append.ts";
import { commitTick } from "./commit-tick.ts";
import { delegateEnded } from "./delegate-run.ts";
import type { EarlyRun } from "./early-calls.ts";
import type { EngineContext } from "./engine-context.ts";
import type { InFlightCall, PendingStart, Termination } from "./in-flight.ts";
import { goOn } from "./resume-waiting.ts";
import { endingOf, type RunCall } from "./run-call.ts";
import { RunLog } from "./run-log.ts";
import type { RunState } from "./run-state.ts";
import { Slots } from "./slots.ts";
import { TurnPlace } from "./turn-place.ts";

/** Acts of one tick, about 20 ms: where many calls end at once, everybody else is served before the rest. */
const ACTS_AT_ONCE = 500;

/**
 * One run going on. All that happens to it comes in as acts through one mailbox: results, decisions, cancels, timers.
 * A tick takes all acts that have come, makes their events and those of what they unblock, appends them at once, and
 * lets the effects go when that is on disk (P23). While an append is under way, further acts gather for the next tick.
 */
export class Runner {
  readonly engine: EngineContext;
  readonly state: RunState;
  readonly log: RunLog;
  /** Of a delegate's run: the run whose call it carries out. */
  readonly parent: { run: Runner; call: RunCall } | null;
  readonly inFlight = new Map<RunCall, InFlightCall>();
  /** Calls that started while their plan was streaming (P20), by their places. */
  readonly early = new Map<string, EarlyRun>();
  /** Calls that were under way when the process before ended, and can be run again: they wait for their turn. */
  readonly interrupted = new Map<RunCall, PendingStart>();
  termination: Termination | null = null;
  /** A model is asked for the next calls: how to stop asking, and the event of the request once it is told. */
  asking: { stop(reason: Error): void; requested: string | null } | null = null;
  /** Its place among its user's turns: a top-level run's, which holds for its delegates' runs. */
  readonly place = new TurnPlace(this);
  /** What is to be done when its turn comes. */
  held: (() => void) | null = null;
  /** Calls off the watch over its time. */
  unwatch: (() => void) | null = null;
  /** Of which its settings allow some. */
  readonly #all: Toolset;
  #tools: { of: RunState["settings"]; set: Toolset } | null = null;
  #slots: Slots<PendingStart> | null = null;
  readonly #progress = new Map<string, Progress>();
  /** Instances in which something ended since turns were taken. */
  readonly #touched = new Set<string>();
  #plan: RunState["plan"] = null;
  #mailbox: (() => void)[] = [];
  #effects: (() => void)[] = [];
  /** Who waits for an act to be on disk, and how they are answered when this tick is. */
  readonly #asked = new Set<(reason: Error) => void>();
  #answers: (() => void)[] = [];
  #working: Promise<void> | null = null;
  #halted = false;
  readonly #halting = Promise.withResolvers<void>();
  #endTold = false;
  readonly #patience: RetryPolicy = {
    isStopping: () => this.#halted,
    stopping: this.#halting.promise,
    // What they asked for is done when there is room, but nobody knows when that is.
    onFull: (error) => this.#refuseWaiting(error),
  };
  #waiters: (() => void)[] = [];
  #endWaiters: { resolve: () => void; reject: (reason: Error) => void }[] = [];

  constructor(engine: EngineContext, state: RunState, tools: Toolset, parent: Runner["parent"]) {
    this.engine = engine;
    this.state = state;
    this.#all = tools;
    this.parent = parent;
    this.log = new RunLog(state, engine.ports.clock);
  }

  /** The top-level run: its budget holds for all of them. */
  get root(): Runner {
    return this.parent?.run.root ?? this;
  }

  /** The tools that it may use; in a directed turn, whoever speaks in it. */
  get tools(): Toolset {
    const { settings } = this.state;
    if (this.#tools?.of !== settings) this.#tools = { of: settings, set: this.#all.only(settings.allowed_tools) };
    return this.#tools.set;
  }

  /** Made when they are first needed: the run's own first event says how many there are. */
  get slots(): Slots<PendingStart> {
    this.#slots ??= new Slots(this.state.settings.concurrency);
    return this.#slots;
  }

  /** This run and its delegates' runs that go on. */
  *tree(): Generator<Runner> {
    yield this;
    for (const { child } of this.inFlight.values()) if (child) yield* child.tree();
  }

  /** The names of the delegates from the top-level run down to this one. */
  get lineage(): string[] {
    const { delegate } = this.state.settings;
    return [...(this.parent?.run.lineage ?? []), ...(delegate === null ? [] : [delegate])];
  }

  /** Waits for nothing but persons, or has ended, as far as what is on disk tells. */
  get settled(): boolean {
    return this.#working === null && (this.#halted || this.state.ended || this.state.status === "waiting");
  }

  /** Has something done in the next tick. */
  post(act: () => void): void {
    if (this.#halted) return;
    this.#mailbox.push(act);
    this.#working ??= this.#work();
  }

  /** The same; resolves when what came of it is on disk, and rejects when the act throws. */
  ask(act: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#halted) return reject(standsStill(this.state.id));
      this.#asked.add(reject);
      this.post(() => {
        try {
          act();
          this.#answers.push(() => {
            this.#asked.delete(reject);
            resolve();
          });
        } catch (error) {
          this.#asked.delete(reject);
          reject(error);
        }
      });
    });
  }

  /** Has something done when the events of this tick are on disk. */
  after(effect: () => void): void {
    this.#effects.push(effect);
  }

  /** Resolves when the run has ended or waits for a person. */
  whenSettled(): Promise<void> {
    return this.settled ? Promise.resolve() : new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Resolves when the run's end is on disk; rejects when it stands still before that. */
  whenEnded(): Promise<void> {
    if (this.#endTold) return Promise.resolve();
    if (this.#halted) return Promise.reject(standsStill(this.state.id));
    return new Promise((resolve, reject) => this.#endWaiters.push({ resolve, reject }));
  }

  /** The progress of each instance in which turns may have come since this was asked last. */
  due(): [instance: string, Progress][] {
    this.#takeEndings();
    const due = [...this.#touched].flatMap((instance): [string, Progress][] => {
      const progress = this.#progress.get(instance);
      return progress ? [[instance, progress]] : [];
    });
    this.#touched.clear();
    return due;
  }

  /** More turns may have come in an instance than were taken. */
  stillDue(instance: string): void {
    this.#touched.add(instance);
  }

  /** These ended calls of the plan stand as planned again: `change` makes the event that says so (P24). */
  planAgain(calls: readonly RunCall[], change: () => void): void {
    this.#takeEndings();
    change();
    for (const instance of new Set(calls.map((call) => call.instance))) {
      const own = calls.filter((call) => call.instance === instance);
      this.#progress.get(instance)?.planAgain(own.map(({ call_id }) => call_id));
      this.#touched.add(instance);
    }
  }

  #takeEndings(): void {
    const { state } = this;
    if (this.#plan !== state.plan) {
      this.#plan = state.plan;
      this.#progress.clear();
      for (const [instance, { prepared, calls }] of state.plan ?? []) {
        const progress = new Progress(prepared, state.scope(instance).read);
        for (const call of calls.values()) end(progress, call);
        this.#progress.set(instance, progress);
        this.#touched.add(instance);
      }
    } else {
      for (const call of state.endings) {
        end(this.#progress.get(call.instance), call);
        this.#touched.add(call.instance);
      }
    }
    state.endings = [];
  }

  /**
   * Does nothing more, and lets go of what runs; resolves when what was on its way to disk is there. Where the server stops,
   * that is also what has come while the disk took nothing.
   */
  async halt({ isStop }: { isStop: boolean } = { isStop: false }): Promise<void> {
    this.#halted = true;
    this.#halting.resolve();
    if (this.parent === null) this.place.giveUp();
    if (!isStop) this.#mailbox = [];
    this.unwatch?.();
    const reason = new Error("The server is stopping");
    this.asking?.stop(reason);
    const letGo = () => {
      for (const { stop } of [...this.inFlight.values(), ...this.early.values()]) stop?.(reason);
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
      for (const run of this.root.tree()) void run.halt();
    }
    this.#working = null;
    if (this.#halted) this.#refuseWaiting();
    if (this.#mailbox.length > 0 && !this.#halted) this.#working = this.#work();
    else if (this.settled) this.#settle();
  }

  #standStill(error: unknown): void {
    const { id: run_id, conversation_id } = this.state;
    // A turn that would have begun in a manager's conversation: nothing of it is there, and whoever asks is told.
    if (isTakenOver(error)) return this.#refuseWaiting(error);
    if (isStorageFull(error)) this.#refuseWaiting(error);
    const place = { run_id, conversation_id };
    this.engine.ports.logger.error({ err: error, ...place }, "A run stands still; it is taken up at the next start");
  }

  /** What came before the halt, and nothing that would follow from it: that is begun by the next process. */
  async #tellRest(): Promise<void> {
    for (const act of this.#mailbox.splice(0)) act();
    const events = this.log.take();
    if (events.length > 0) await commitTick(this, events, this.#patience);
    for (const answer of this.#answers.splice(0)) answer();
  }

  async #tick(): Promise<void> {
    const wasWaiting = this.state.status === "waiting";
    for (const act of this.#mailbox.splice(0, ACTS_AT_ONCE)) {
      act();
      if (this.state.isReading && !this.state.ended) await inParts(this.state.readPlan());
    }
    advance(this);
    const events = this.log.take();
    if (events.length > 0) await commitTick(this, events, this.#patience);
    const answers = this.#answers;
    this.#answers = [];
    for (const answer of answers) answer();
    const effects = this.#effects;
    this.#effects = [];
    // Stopped while the events went to disk: the next process takes the effects up.
    if (this.#halted) return;
    for (const effect of effects) effect();
    this.root.place.rest();
    if (this.state.ended) return this.#tellEnd();
    this.#endTold = false;
    const isWaiting = this.state.status === "waiting";
    if (isWaiting !== wasWaiting) this.#tellParent(isWaiting);
  }

  #tellEnd(): void {
    if (this.#endTold) return;
    this.#endTold = true;
    this.unwatch?.();
    for (const { resolve } of this.#endWaiters) resolve();
    this.#endWaiters = [];
    const { parent } = this;
    parent?.run.post(() => delegateEnded(parent.run, parent.call, this));
  }

  /** Nobody waits for what cannot come any more. */
  #refuseWaiting(reason: Error = standsStill(this.state.id)): void {
    for (const reject of this.#asked) reject(reason);
    for (const { reject } of this.#endWaiters) reject(reason);
    this.#asked.clear();
    this.#endWaiters = [];
  }

  #tellParent(waiting: boolean): void {
    const { parent } = this;
    parent?.run.post(() => {
      const live = parent.run.inFlight.get(parent.call);
      if (!live || live.waiting === waiting) return;
      live.waiting = waiting;
      if (waiting) return parent.run.slots.release();
      parent.run.slots.retake();
      goOn(parent.run, this.state.latest);
    });
  }

  #settle(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
    if (this.state.ended || this.#halted) this.engine.remove(this);
    this.engine.turns.look();
  }
}

function standsStill(runId: string): Refused {
  return new Refused(
    `The run ${runId} stands still: the server is stopping, or cannot write; try again when it is back`,
  );
}

function end(progress: Progress | undefined, call: RunCall): void {
  const ending = endingOf(call);
  if (ending !== null) progress?.end(call.call_id, ending);
}
