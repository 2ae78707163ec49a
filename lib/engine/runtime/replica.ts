import type { NewEvent, RunHold } from "../../../db/repositories.ts";
import type { SessionEvent } from "../../session/event.ts";
import { isJsonObject } from "../../session/json/json.ts";
import type { AskedCall, CallAnswer, Decision } from "../engine.ts";
import { Halted, NotFound, Refused } from "../errors.ts";
import type { DecisionEvent, Ownership, Turn, TurnEnd } from "../ownership.ts";
import { askedOf } from "../step/calls/caller-call.ts";
import { openConfirmation } from "../step/calls/decide.ts";
import { placeKeyOf } from "../step/course/begin-run.ts";
import type { Input, InputOf } from "../step/input.ts";
import { newTree, Run } from "../step/run.ts";
import type { FoundTree } from "../step/state/found-tree.ts";
import type { Termination } from "../step/state/in-flight.ts";
import { isRunEvent, type RunEvent } from "../step/state/run-event.ts";
import type { RunState } from "../step/state/run-state.ts";
import { answeredBy, Toolset } from "../tools/toolset.ts";
import { isConflict, isNotHeld } from "./append.ts";
import type { EngineContext } from "./engine-context.ts";
import { documentChange } from "./keep-memory.ts";
import { loadTree, takeUpTree } from "./recover.ts";
import { type Owner, Runner } from "./runner.ts";

/** How long running calls may take to end when the server stops, ms. */
const DRAIN_MS = 6_000;
/** How often is looked whether a run may rest about which something was decided that has not been heard of yet, ms. */
const REST_LOOK_MS = 50;
/** How often a run is taken over until it can be ended: each time, another turn may take it back. */
const MOST_SEIZURES = 5;
/** After so many looks it is read from the log again. */
const MOST_LOOKS = 60;

/** A run is read that waits, and is not carried on. */
const RESTING: Input = { kind: "recovered", turn: "aside", manager: null, isNew: false };

type Ending = Extract<RunEvent, { type: "run.finished" | "run.failed" | "run.cancelled" }>;
const ENDINGS: ReadonlySet<string> = new Set<Ending["type"]>(["run.finished", "run.failed", "run.cancelled"]);

/**
 * An engine among others that share its log. It carries on the runs that it gets by turns; what concerns a run of another replica
 * is recorded for that one, or the run is taken over.
 */
export class Replica {
  readonly #engine: EngineContext;
  readonly #ownership: Ownership;
  /** What was heard while runs were read from the log. */
  readonly #opening = new Set<SessionEvent[]>();
  #unfollow: (() => void) | null = null;
  #stopping: Promise<void> | null = null;

  constructor(engine: EngineContext, ownership: Ownership) {
    this.#engine = engine;
    this.#ownership = ownership;
    engine.withdrawElsewhere = (runId, request) => void this.#withdraw(runId, request);
  }

  /** Takes part from now on. */
  async start(): Promise<void> {
    const { runners } = this.#engine;
    const isListening = () => this.#opening.size > 0 || runners.size > 0;
    this.#unfollow = this.#ownership.follow((event) => this.#hear(event), isListening);
    await this.#adopt();
    this.#ownership.work((turn) => this.#carryOn(turn));
  }

  /** Records the start of a run, and has a replica carry it on. `begin` gets whether others of its user are ahead of it. */
  async begin(run: Run, key: string | null, begin: (queued: boolean) => Input): Promise<void> {
    const queue = this.#queueOf(run.id, key);
    const queued = (await this.#ownership.next(queue)) !== null;
    await this.#record(run, { run_id: run.id, fence: 0, key: queue }, [begin(queued)]);
  }

  /** Records what a person wants of a run that nobody has to carry on, and has a replica carry it on. */
  async reopen(rootId: string, ask: (run: Run, queued: boolean) => Input): Promise<void> {
    const tree = await loadTree(this.#engine, rootId);
    const state = stateOf(tree, rootId);
    if (!state.ended && state.status !== "waiting")
      throw new Refused(`The run ${rootId} is going on; retry its calls when it has ended or waits for a person`);
    const key = this.#queueOf(rootId, placeKeyOf(state));
    const queued = (await this.#ownership.next(key)) !== null;
    const hold = await this.#ownership.take(rootId, { key });
    if (!hold) throw new NotFound(`This server has no run ${rootId}`);
    const run = this.#runOf(await loadTree(this.#engine, rootId), rootId);
    await this.#record(run, hold, [ask(run, queued)]);
  }

  /** Records results of calls that the program carries out which started the turn; no replica has the run meanwhile. */
  async answer(runId: string, answers: CallAnswer[], actor: string): Promise<void> {
    const found = stateOf(await loadTree(this.#engine, runId), runId);
    if (found.status !== "waiting")
      throw new Halted(`The run ${runId} is going on at another replica; retry when it waits for results`);
    const hold = await this.#ownership.take(runId, { key: this.#queueOf(runId, placeKeyOf(found)) });
    if (!hold) throw new NotFound(`This server has no run ${runId}`);
    const run = this.#runOf(await loadTree(this.#engine, runId), runId);
    await this.#record(run, hold, [RESTING, { kind: "answered", answers, actor }]);
  }

  /** The calls of a run at rest that wait for results of that program. */
  async asked(runId: string): Promise<AskedCall[]> {
    const run = this.#runOf(await loadTree(this.#engine, runId), runId);
    if (run.state.ended) return [];
    new Runner(this.#engine, run, null).preview(RESTING);
    return askedOf(run);
  }

  /** Records a decision. Throws `NotFound`, `Refused` and `InvalidInput`, as it does where one process carries on all. */
  async decide(confirmationId: string, runId: string, rootId: string, decision: Decision): Promise<void> {
    const run = this.#runOf(await loadTree(this.#engine, rootId), runId);
    const runner = new Runner(this.#engine, run, null);
    const [event] = runner.preview({ kind: "record_decision", confirmation_id: confirmationId, decision });
    if (!event) return;
    const change = documentChange(runner, [event]);
    const decided = await this.#ownership.decide(asDecision(event), rootId, change);
    if (decided) return this.#wake(decided.key);
    // Somebody was faster.
    const state = stateOf(await loadTree(this.#engine, rootId), runId);
    if (openConfirmation(state, confirmationId, decision))
      throw new Refused(`The run ${runId} has ended, so nothing is left to decide`);
  }

  /** Takes a run over from whoever carries it on, and ends it, or a delegate's run of it. */
  async seize(rootId: string, runId: string, termination: Termination): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#seize(rootId, runId, termination);
      } catch (error) {
        // The turn of the run has just begun, and has taken it over from here.
        if (!(error instanceof Halted) || this.#stopping || tries === MOST_SEIZURES) throw error;
      }
    }
  }

  async #seize(rootId: string, runId: string, termination: Termination): Promise<void> {
    const found = stateOf(await loadTree(this.#engine, rootId), rootId);
    const key = this.#queueOf(rootId, placeKeyOf(found));
    const hold = await this.#ownership.take(rootId, { key });
    if (!hold) throw new NotFound(`This server has no run ${rootId}`);
    const isWhole = runId === rootId;
    const root = await this.#open({ hold, turn: null, known: 0 }, isWhole ? termination : null);
    try {
      // A delegate's run is taken up by the run that waits for it, in a tick of its own.
      if (!isWhole) await root.ask({ kind: "wake" });
      const runner = this.#engine.runners.get(runId);
      if (!isWhole) await runner?.ask({ kind: "terminate", termination });
      await runner?.whenEnded();
    } finally {
      await root.drop();
      await this.#rest(root);
    }
  }

  /** Hands on the runs that it carries on: calls that are running may end before, and nothing new starts. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const stopped = this.#ownership.stop();
    const roots = [...this.#engine.runners.values()].filter(({ parent }) => parent === null);
    await Promise.all(
      roots.map(async (root) => {
        await root.drain(DRAIN_MS);
        await root.drop({ isStop: true });
      }),
    );
    await stopped;
    this.#unfollow?.();
  }

  /** A newer request replaces one of a run that rests. */
  async #withdraw(runId: string, { confirmation_id, reason }: InputOf<"withdraw">): Promise<void> {
    try {
      const decision = { decision: "deny", reason, action: null, result: undefined, actor: "system" } as const;
      await this.decide(confirmation_id, runId, runId, decision);
    } catch (error) {
      // Whoever has decided it meanwhile was faster.
      this.#engine.ports.logger.warn(
        { err: error, run_id: runId },
        "A request that was replaced could not be withdrawn",
      );
    }
  }

  /** Runs that no replica ever held: those of a database that was moved here. */
  async #adopt(): Promise<void> {
    const { journal } = this.#engine.ports;
    for (const runId of await this.#ownership.unknown((await journal.open()).map(({ run_id }) => run_id))) {
      const state = stateOf(await loadTree(this.#engine, runId), runId);
      const key = this.#queueOf(runId, placeKeyOf(state));
      try {
        await journal.append([], { run_id: runId, fence: 0, key });
      } catch (error) {
        // Another replica starts at the same time.
        if (!isConflict(error)) throw error;
      }
    }
  }

  async #carryOn(turn: Turn): Promise<TurnEnd> {
    const runId = await this.#ownership.next(turn.key);
    const hold = runId === null ? null : await this.#ownership.take(runId, { ready: true });
    if (this.#stopping) return "handed_on";
    if (!hold) return "done";
    const root = await this.#open({ hold, turn, known: 0 });
    const drop = () => void root.drop();
    turn.lost.addEventListener("abort", drop);
    if (turn.lost.aborted) drop();
    try {
      for (let looks = 0; ; looks += 1) {
        await root.whenSettled();
        if (this.#stopping) return "handed_on";
        if (root.isHalted || looks > MOST_LOOKS) throw new Error(`The run ${hold.run_id} could not be carried on`);
        root.pause();
        if (root.isAtRest && (await this.#ownership.rest(hold, root.owner?.known ?? 0))) return "done";
        root.unpause();
        await new Promise<void>((resolve) => this.#engine.ports.clock.later(REST_LOOK_MS, resolve));
        if (!root.isAtRest) looks = 0;
      }
    } catch (error) {
      if (!isNotHeld(error) && !root.isOvertaken && !turn.lost.aborted) throw error;
      const { id: run_id, conversation_id } = root.state;
      this.#engine.ports.logger.warn({ run_id, conversation_id }, "A run was taken over by another replica");
      return "done";
    } finally {
      turn.lost.removeEventListener("abort", drop);
      await root.drop(this.#stopping ? { isStop: true } : undefined);
    }
  }

  /** Reads a run that this replica has taken over, and goes on with it. */
  async #open(owner: Owner, termination: Termination | null = null): Promise<Runner> {
    const { run_id } = owner.hold;
    const heard: SessionEvent[] = [];
    this.#opening.add(heard);
    try {
      const tree = await loadTree(this.#engine, run_id);
      const { conversation_id } = stateOf(tree, run_id);
      const manager = await this.#engine.ports.journal.takenOver(conversation_id);
      return takeUpTree(this.#engine, tree, run_id, { manager, owner, termination });
    } finally {
      this.#opening.delete(heard);
      for (const event of heard) this.#hear(event);
    }
  }

  async #record(run: Run, hold: RunHold, inputs: readonly Input[]): Promise<void> {
    const runner = this.#engine.open(run, null);
    runner.owner = { hold, turn: null, known: 0 };
    await runner.record(inputs);
    await this.#wake(hold.key);
  }

  /** After its end, nobody has to carry it on; otherwise somebody has. */
  async #rest({ state, owner }: Runner): Promise<void> {
    if (!owner) return;
    if (!state.ended) return this.#wake(owner.hold.key);
    try {
      await this.#ownership.rest(owner.hold, Number.MAX_SAFE_INTEGER);
    } catch (error) {
      if (!isNotHeld(error)) throw error;
    }
  }

  async #wake(key: string): Promise<void> {
    try {
      await this.#ownership.wake(key);
    } catch (error) {
      this.#engine.ports.logger.warn({ err: error }, "A run could not be handed to a replica; it is noticed later");
    }
  }

  /** What the engines of all replicas append: decisions about runs of this one, and the end of those that were taken over. */
  #hear(event: SessionEvent): void {
    if (event.run_id === null || !isRunEvent(event)) return;
    for (const heard of this.#opening) heard.push(event);
    const runner = this.#engine.runners.get(event.run_id);
    const owner = runner?.root.owner;
    if (!runner || !owner) return;
    const { position } = event;
    const known: RunEvent = event;
    if (known.type === "confirmation.approved" || known.type === "confirmation.denied")
      runner.post(() => {
        owner.known = Math.max(owner.known, position);
        return { kind: "decided", event: known };
      });
    else if (ENDINGS.has(known.type) && !runner.state.ended) void runner.root.drop();
  }

  #runOf(tree: FoundTree, runId: string): Run {
    const state = stateOf(tree, runId);
    const { env, ports } = this.#engine;
    const root = [...tree.runs.values()].find(({ parent_run_id }) => parent_run_id === null) ?? state;
    const tools = Toolset.of(ports.tools, ports.delegates, root.settings.tools, answeredBy(root.settings));
    return new Run(newTree(env, tree), state, tools, null);
  }

  /** The key is a digest: it is stored outside of the log, where a user cannot be erased. */
  #queueOf(runId: string, key: string | null): string {
    return this.#engine.env.digest(key ?? `run:${runId}`);
  }
}

function stateOf(tree: FoundTree, runId: string): RunState {
  const state = tree.runs.get(runId);
  if (!state) throw new NotFound(`This server has no run ${runId}`);
  return state;
}

function asDecision(event: NewEvent): DecisionEvent {
  const { payload } = event;
  if (!isJsonObject(payload) || typeof payload.confirmation_id !== "string")
    throw new Error(`The event ${event.type} decides nothing`);
  return { ...event, payload: { ...payload, confirmation_id: payload.confirmation_id } };
}
