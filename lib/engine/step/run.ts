import { endingOf } from "../../plan/schedule/ending.ts";
import { Progress } from "../../plan/schedule/progress.ts";
import type { Toolset } from "../tools/toolset.ts";
import type { DelegateStart } from "./calls/delegate-run.ts";
import type { EarlyRun } from "./calls/early-calls.ts";
import type { Question } from "./calls/latent-call.ts";
import type { Attempt } from "./calls/run-activity.ts";
import type { Held, Place } from "./course/turn-place.ts";
import type { Effect, ImmediateEffect } from "./effect.ts";
import type { StepEnv } from "./env.ts";
import type { FoundTree } from "./state/found-tree.ts";
import { Ids } from "./state/ids.ts";
import type { InFlightCall, PendingStart, Termination } from "./state/in-flight.ts";
import type { RunCall } from "./state/run-call.ts";
import { RunLog } from "./state/run-log.ts";
import type { RunState } from "./state/run-state.ts";
import { Slots } from "./state/slots.ts";

/** What the runs of a tree share. */
export interface Tree {
  readonly env: StepEnv;
  /** The time of the current input, epoch ms. */
  now: number;
  ids: Ids;
  /** Effects of the current input so far. */
  effects: Effect[];
  immediate: ImmediateEffect[];
  /** The runs as recovered from the log; null for a new tree. */
  readonly found: FoundTree | null;
}

/** One run: its state by its events, and what is in flight. Only `step` changes it. */
export class Run {
  readonly tree: Tree;
  readonly state: RunState;
  readonly log: RunLog;
  /** Of a delegate's run: the run whose call it carries out. */
  readonly parent: { run: Run; call: RunCall } | null;
  readonly inFlight = new Map<RunCall, InFlightCall>();
  /** Running attempts by ticket; an aborted one stays until its activity has returned. */
  readonly attempts = new Map<number, Attempt>();
  /** Calls that wait for a retry, by ticket. */
  readonly retries = new Map<number, RunCall>();
  /** Calls whose results are requested from models, by ticket. */
  readonly questions = new Map<number, Question>();
  /** Delegates' runs that are opened when the starts of their calls are on disk. */
  readonly opening = new Map<number, DelegateStart>();
  /** Calls that wait for a lookup, by ticket. */
  readonly lookups = new Map<number, PendingStart>();
  /** Calls that started while their plan was streaming (P20), by their places. */
  readonly early = new Map<string, EarlyRun>();
  /** Calls that were in flight when the last process ended and can be run again when they are due. */
  readonly interrupted = new Map<RunCall, PendingStart>();
  termination: Termination | null = null;
  /** The request to a model or a director for the next calls; `requested` is its event once it is emitted. */
  asking: { ticket: number; caused_by: string | null; requested: string | null } | null = null;
  /** Its place among its user's turns: a top-level run's, which holds for its delegates' runs. */
  place: Place = { key: null, held: true, begun: true };
  /** What to do when its user's turn queue reaches it. */
  held: Held | null = null;
  /** All tools; its settings may allow only some. */
  readonly toolset: Toolset;
  #tools: { of: RunState["settings"]; set: Toolset } | null = null;
  #slots: Slots<PendingStart> | null = null;
  readonly #progress = new Map<string, Progress>();
  /** Instances in which calls may be due. */
  readonly #mayBeDue = new Set<string>();
  #plan: RunState["plan"] = null;
  #tickets = 0;

  constructor(tree: Tree, state: RunState, tools: Toolset, parent: Run["parent"]) {
    this.tree = tree;
    this.state = state;
    this.toolset = tools;
    this.parent = parent;
    this.log = new RunLog(state, tree);
  }

  get id(): string {
    return this.state.id;
  }

  get env(): StepEnv {
    return this.tree.env;
  }

  /** Epoch ms. */
  get now(): number {
    return this.tree.now;
  }

  /** The top-level run: its budget holds for all of them. */
  get root(): Run {
    return this.parent?.run.root ?? this;
  }

  /** The tools that it may use; in a directed turn, whoever speaks in it. */
  get tools(): Toolset {
    const { settings } = this.state;
    if (this.#tools?.of !== settings) this.#tools = { of: settings, set: this.toolset.only(settings.allowed_tools) };
    return this.#tools.set;
  }

  /** Created on first use: the run's first event has their number. */
  get slots(): Slots<PendingStart> {
    this.#slots ??= new Slots(this.state.settings.concurrency);
    return this.#slots;
  }

  /** This run and its delegates' active runs. */
  *runs(): Generator<Run> {
    yield this;
    for (const { child } of this.inFlight.values()) if (child) yield* child.runs();
  }

  /** The names of the delegates from the top-level run down to this one. */
  get lineage(): string[] {
    const { delegate } = this.state.settings;
    return [...(this.parent?.run.lineage ?? []), ...(delegate === null ? [] : [delegate])];
  }

  /** Adds an effect that is carried out when the events of this step are on disk. */
  after(effect: Effect): void {
    this.tree.effects.push(effect);
  }

  /** Adds an effect that is carried out at once. */
  atOnce(effect: ImmediateEffect): void {
    this.tree.immediate.push(effect);
  }

  ticket(): number {
    this.#tickets += 1;
    return this.#tickets;
  }

  /** Registers what is in flight for a call; returns the ticket that its result will carry. */
  track(call: RunCall, kind: InFlightCall["kind"], more: { waiting?: boolean; child?: Run } = {}): number {
    const ticket = this.ticket();
    this.inFlight.set(call, { kind, ticket, waiting: more.waiting ?? false, child: more.child ?? null });
    return ticket;
  }

  /** Whether a ticket is the one in flight for a call. */
  isLive(call: RunCall, ticket: number): boolean {
    return this.inFlight.get(call)?.ticket === ticket;
  }

  /** The progress of each instance in which calls may be due. */
  due(): [instance: string, Progress][] {
    this.#drainEndings();
    if (this.#mayBeDue.size === 0) return [];
    const due = [...this.#mayBeDue].flatMap((instance): [string, Progress][] => {
      const progress = this.#progress.get(instance);
      return progress ? [[instance, progress]] : [];
    });
    this.#mayBeDue.clear();
    return due;
  }

  /** More calls may be due in an instance than were taken. */
  stillDue(instance: string): void {
    this.#mayBeDue.add(instance);
  }

  /** Plans ended calls again (P24); `change` emits the event. */
  planAgain(calls: readonly RunCall[], change: () => void): void {
    this.#drainEndings();
    change();
    for (const instance of new Set(calls.map((call) => call.instance))) {
      const own = calls.filter((call) => call.instance === instance);
      this.#progress.get(instance)?.planAgain(own.map(({ call_id }) => call_id));
      this.#mayBeDue.add(instance);
    }
  }

  #drainEndings(): void {
    const { state } = this;
    if (this.#plan !== state.plan) {
      this.#plan = state.plan;
      this.#progress.clear();
      for (const [instance, { prepared, calls }] of state.plan ?? []) {
        const progress = new Progress(prepared, state.scope(instance).read);
        for (const call of calls.values()) end(progress, call);
        this.#progress.set(instance, progress);
        this.#mayBeDue.add(instance);
      }
    } else {
      for (const call of state.endings) {
        end(this.#progress.get(call.instance), call);
        this.#mayBeDue.add(call.instance);
      }
    }
    if (state.endings.length > 0) state.endings = [];
  }
}

/** A new tree of runs, or one recovered from the log. */
export function newTree(env: StepEnv, found: FoundTree | null): Tree {
  return { env, now: 0, ids: new Ids(0, [0, 0, 0, 0]), effects: [], immediate: [], found };
}

function end(progress: Progress | undefined, call: RunCall): void {
  const ending = endingOf(call);
  if (ending !== null) progress?.end(call.call_id, ending);
}
