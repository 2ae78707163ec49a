import { randomUUIDv7 } from "node:crypto";
import { yieldToEventLoop } from "../event-loop/yielding.ts";
import { readContext } from "../plan/context.ts";
import type { Context } from "../plan/message.ts";
import { pointerTo } from "../plan/problem.ts";
import { FORK_SCOPE } from "../session/fork-scope.ts";
import type { JsonObject } from "../session/json/json.ts";
import type {
  AskedCall,
  CallAnswer,
  CallPlace,
  Decision,
  Engine,
  PlanRequest,
  RunCount,
  RunRequest,
} from "./engine.ts";
import { Halted, InvalidInput, InvalidPlan, isTakenOver, NotFound, Refused, TooManyRuns } from "./errors.ts";
import type { OwnRun } from "./journal.ts";
import { isLongReading, PLAN_READINGS, type PlanAnswers, type PlanMaterial, simulatedText } from "./plan-reading.ts";
import type { SentPlan } from "./plan-threads.ts";
import { createPlanner } from "./planning/planner.ts";
import { DEFAULT_CONCURRENCY, DEFAULT_ITERATIONS, type EnginePorts } from "./ports.ts";
import { EngineContext } from "./runtime/engine-context.ts";
import { loadTree, takeUpTree } from "./runtime/recover.ts";
import { Replica } from "./runtime/replica.ts";
import type { Runner } from "./runtime/runner.ts";
import { countParts } from "./schema-cost.ts";
import { askedOf } from "./step/calls/caller-call.ts";
import { openConfirmation } from "./step/calls/decide.ts";
import { type Beginning, placeKeyOf } from "./step/course/begin-run.ts";
import { countCalls, MOST_CALLS, materialOf } from "./step/course/propose.ts";
import { isOpenTurn, isTurn, yieldedTo } from "./step/course/taken-over.ts";
import type { Input } from "./step/input.ts";
import { REASONS } from "./step/reasons.ts";
import { newTree, Run } from "./step/run.ts";
import { BudgetUse } from "./step/state/budget.ts";
import type { Termination } from "./step/state/in-flight.ts";
import { RunMemory } from "./step/state/run-memory.ts";
import { withMemory } from "./step/state/run-reads.ts";
import { RunState } from "./step/state/run-state.ts";
import { step } from "./step/step.ts";
import { shapesFor } from "./tools/tool-shapes.ts";
import { type AnsweredBy, answeredBy, Toolset } from "./tools/toolset.ts";

/** Creates the engine of a server. Runs that an earlier process left open continue when `recover` is called. */
export function createEngine(ports: EnginePorts, decide: typeof step = step): Engine {
  const planner = ports.model && createPlanner(ports.model);
  const talker = ports.talker && createPlanner(ports.talker);
  return new PlanEngine(new EngineContext(ports, { planner, talker }, decide));
}

/** Creating a compiler for a schema costs as much as reading this many of its parts. */
const PARTS_OF_A_TOOL = 10;
/** The limit of schema parts of all tools of a request together. */
const MOST_TOGETHER = 10_000;
/** The limit of one of them: it is compiled in one go, in about 40 ms. */
const MOST_OF_ONE = 1_500;
/** Parts compiled before yielding to other requests, about 10 ms. */
const PARTS_AT_ONCE = 500;

const WAKE: Input = { kind: "wake" };

class PlanEngine implements Engine {
  readonly #engine: EngineContext;
  /** Top-level runs that are being recovered from the log, so that none is recovered twice or from an older state. */
  readonly #opening = new Map<string, Promise<Runner>>();
  /** Null: this process carries on all runs. */
  readonly #replica: Replica | null;
  #stopped = false;

  constructor(engine: EngineContext) {
    const { ownership } = engine.ports;
    this.#engine = engine;
    this.#replica = ownership && new Replica(engine, ownership);
  }

  async validate(request: PlanRequest): Promise<Pick<PlanAnswers["check"], "ok" | "problems">> {
    return this.#read("check", await this.#materialOf(request));
  }

  async describe(request: PlanRequest): Promise<string> {
    return this.#read("describe", await this.#materialOf(request));
  }

  async reachable(request: PlanRequest): Promise<JsonObject[]> {
    return this.#read("reachable", await this.#materialOf(request));
  }

  async simulate({ branches, ...request }: PlanRequest & { branches: Record<string, number> }) {
    const material = await this.#materialOf(request);
    const { plan_threads } = this.#engine.ports;
    if (plan_threads === null || !isLongReading("simulate", material.plan, material.context))
      return begun(simulatedText(material, branches));
    await yieldToEventLoop();
    return begun(plan_threads.simulate(sentOf(material), branches));
  }

  async start(request: RunRequest): Promise<{ conversation_id: string; run_id: string }> {
    this.#refuseStopped();
    const { turn } = request;
    const all = await this.#toolsOf(request, answeredBy({ answers: turn }));
    const tools = all.only(turn?.tools ?? null);
    const unknown = request.confirm.findIndex((name) => !tools.tool(name));
    if (unknown >= 0)
      throw new InvalidInput(`There is no tool ${request.confirm[unknown]} to confirm`, [
        { path: `/confirm/${unknown}`, message: "is not a tool of this run" },
      ]);
    const context = readMessages(request.context);
    const isolated = await this.#isolate(request);
    const known = await this.#withMemory(context, request, isolated.user_scope);
    const isSimulated = isolated.mode === "shadow" && !isolated.simulated;
    const plan = await this.#givenPlan(request, tools, known, isSimulated);
    // A user's words are never lost: they wait in the log until their turn comes.
    if (turn === null && this.#engine.isFull()) throw new TooManyRuns(this.#engine.ports.runs_at_once);
    const run_id = turn?.run_id ?? request.run_id ?? randomUUIDv7();
    const conversation_id = request.conversation_id ?? randomUUIDv7();
    const { agent_id, confirm, budget, output_schema, user_id } = request;
    const state = new RunState(
      { id: run_id, conversation_id, parent_run_id: null, agent_id },
      new BudgetUse(),
      new RunMemory(),
    );
    const run = new Run(newTree(this.#engine.env, null), state, all, null);
    const beginning: Beginning = {
      isNewConversation: request.conversation_id === null,
      ...isolated,
      confirm,
      concurrency: request.concurrency ?? DEFAULT_CONCURRENCY,
      max_iterations: request.max_iterations ?? DEFAULT_ITERATIONS,
      budget,
      context,
      // Secrets in a tool's headers do not go into the log in the clear.
      tools: request.tools.map((tool) => this.#engine.ports.tools.sealed(tool)),
      allowed_tools: turn?.tools ?? null,
      output_schema,
      user_id,
      answers: turn?.message.id ?? null,
      instructions: turn?.instructions ?? null,
      directed: turn !== null && turn.instructions === null,
      history: turn?.history ?? null,
      timezone: turn?.timezone ?? null,
      household_id: turn?.household_id ?? null,
      locale: turn?.locale ?? "en",
      message: turn?.message ?? null,
      plan,
      continues: request.continues,
      agent_version: request.agent_version,
      delegate: null,
    };
    const key = placeKeyOf({ conversation_id, settings: beginning });
    if (this.#replica) await this.#replica.begin(run, key, (queued) => ({ kind: "begin", beginning, queued }));
    else {
      const runner = this.#engine.open(run, null);
      await runner.ask(() => ({ kind: "begin", beginning, queued: !runner.enterLine(key) }));
    }
    return { conversation_id, run_id };
  }

  async cancel(runId: string, actor: string): Promise<void> {
    const termination = { reason: REASONS.cancelledBy(actor), error: null, actor, gently: false };
    const end = async (run: Runner) => {
      await run.ask(() => {
        if (!run.state.ended) return { kind: "terminate", termination };
        refuseCancel(run.state);
        return WAKE;
      });
      await run.whenEnded();
    };
    const state = this.#replica && (await this.#stored(runId));
    if (this.#replica && state && !state.ended) return this.#endAtReplica(this.#replica, runId, termination);
    const run = this.#replica ? null : await this.#going(runId);
    if (run) await end(run);
    else refuseCancel(state ?? (await this.#stored(runId)));
  }

  /** Ends a run of any replica: here if this one carries it on, otherwise it is taken over for that. */
  async #endAtReplica(replica: Replica, runId: string, termination: Termination): Promise<void> {
    const run = this.#engine.runners.get(runId);
    if (run?.root.hold && (await isEndedBy(run, termination))) return;
    await replica.seize(await this.#rootOf(runId), runId, termination);
  }

  async yieldToOperator(conversationId: string, manager: string): Promise<void> {
    if (this.#replica) {
      const open = (await this.#engine.ports.journal.open()).filter((run) => run.conversation_id === conversationId);
      for (const { run_id } of open)
        if ((await this.#stored(run_id)).settings.answers !== null)
          await this.#endAtReplica(this.#replica, run_id, yieldedTo(manager));
      return;
    }
    await Promise.allSettled(this.#opening.values());
    const turns = [...this.#engine.runners.values()].filter(
      (run) => run.state.conversation_id === conversationId && isOpenTurn(run.run),
    );
    await Promise.all(
      turns.map(async (run) => {
        try {
          await run.ask(() => (isOpenTurn(run.run) ? { kind: "terminate", termination: yieldedTo(manager) } : WAKE));
          await run.whenEnded();
        } catch (error) {
          // It was about to begin, and the log has refused it for the same reason.
          if (!isTakenOver(error)) throw error;
        }
      }),
    );
  }

  async resume(runId: string, calls: CallPlace[], actor: string): Promise<void> {
    if (this.#replica && !this.#engine.runners.has(runId))
      return this.#resumeAtReplica(this.#replica, runId, calls, actor);
    const run = (await this.#going(runId)) ?? (await this.#reopen(runId));
    const manager = isTurn(run.run) ? await this.#engine.ports.journal.takenOver(run.state.conversation_id) : null;
    if (manager !== null) throw takenOverBy(manager);
    this.#refuseStopped();
    await run.ask(() => ({ kind: "resume", calls, actor, held: run.holdPlace() }));
  }

  async #resumeAtReplica(replica: Replica, runId: string, calls: CallPlace[], actor: string): Promise<void> {
    const rootId = await this.#rootOf(runId);
    if (rootId !== runId) throw belongsToDelegate(runId, rootId);
    const { settings, conversation_id } = await this.#stored(runId);
    const { journal } = this.#engine.ports;
    const manager = settings.answers === null ? null : await journal.takenOver(conversation_id);
    if (manager !== null) throw takenOverBy(manager);
    this.#refuseStopped();
    await replica.reopen(runId, (_, queued) => ({ kind: "resume", calls, actor, held: !queued }));
  }

  async decide(confirmationId: string, runId: string, decision: Decision): Promise<void> {
    if (this.#replica) return this.#replica.decide(confirmationId, runId, await this.#rootOf(runId), decision);
    const run = await this.#going(runId);
    if (run) return run.ask({ kind: "decide", confirmation_id: confirmationId, decision });
    if (openConfirmation(await this.#stored(runId), confirmationId, decision))
      throw new Refused(`The run ${runId} has ended, so nothing is left to decide`);
  }

  async answer(runId: string, answers: CallAnswer[], actor: string): Promise<void> {
    const input: Input = { kind: "answered", answers, actor };
    const hasEnded = this.#replica ? (await this.#stored(runId)).ended : (await this.#going(runId)) === null;
    if (hasEnded) throw new Refused(`The run ${runId} has ended, so none of its calls waits for a result`);
    this.#refuseStopped();
    const run = this.#engine.runners.get(runId);
    try {
      if (run && (!this.#replica || run.hold)) return await run.ask(input);
    } catch (error) {
      // It has come to rest meanwhile, or another replica has it.
      if (!this.#replica || !run?.isHalted) throw error;
    }
    await this.#replica?.answer(runId, answers, actor);
  }

  async asked(runId: string): Promise<AskedCall[]> {
    const known = this.#engine.runners.get(runId);
    if (this.#replica && !known) return this.#replica.asked(runId);
    const run = known ?? (await this.#going(runId));
    return run ? askedOf(run.run) : [];
  }

  async recover(): Promise<void> {
    const { journal, logger } = this.#engine.ports;
    if (this.#replica) return this.#replica.start();
    const recovered: Promise<void>[] = [];
    for (const { run_id, conversation_id } of await journal.open()) {
      if (this.#stopped) break;
      const refused = (error: unknown) =>
        logger.error({ err: error, run_id, conversation_id }, "Could not recover a run; the others continue");
      try {
        // Their first events are appended together.
        recovered.push((await this.#open(run_id)).ask(WAKE).catch(refused));
      } catch (error) {
        refused(error);
      }
    }
    await Promise.all(recovered);
  }

  async settled(runId: string): Promise<void> {
    await this.#engine.runners.get(runId)?.whenSettled();
  }

  count(): RunCount {
    const open = [...this.#engine.runners.values()].filter(({ parent }) => parent === null);
    return { open: open.length, waiting: open.filter(({ state }) => state.status === "waiting").length };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#replica) return this.#replica.stop();
    await Promise.all([...this.#engine.runners.values()].map((run) => run.halt({ isStop: true })));
  }

  /** An active run, recovered from the log if necessary; null if it has ended. */
  async #going(runId: string): Promise<Runner | null> {
    const { runners, ports } = this.#engine;
    const known = runners.get(runId);
    if (known) return known;
    const { parent_run_id } = await this.#own(runId);
    if (parent_run_id !== null) {
      const parent = await this.#going(parent_run_id);
      // Runs of delegates are taken up by the run that waits for them, in a tick of its own.
      await parent?.ask(WAKE);
    } else if ((await ports.journal.open()).some(({ run_id }) => run_id === runId)) await this.#open(runId);
    return runners.get(runId) ?? null;
  }

  /** The runner of a top-level run, recovered from the log if necessary. */
  async #open(rootId: string): Promise<Runner> {
    const known = this.#engine.runners.get(rootId) ?? this.#opening.get(rootId);
    if (known) return known;
    const opening = this.#takeUp(rootId).finally(() => this.#opening.delete(rootId));
    this.#opening.set(rootId, opening);
    return opening;
  }

  async #takeUp(rootId: string): Promise<Runner> {
    const tree = await loadTree(this.#engine, rootId);
    const conversation = tree.runs.get(rootId)?.conversation_id;
    const manager = conversation === undefined ? null : await this.#engine.ports.journal.takenOver(conversation);
    this.#refuseStopped();
    return takeUpTree(this.#engine, tree, rootId, { manager });
  }

  #refuseStopped(): void {
    if (this.#stopped) throw new Halted("The server is stopping; retry when it is back");
  }

  /** A run as the log has it. */
  async #stored(runId: string): Promise<RunState> {
    const state = (await loadTree(this.#engine, await this.#rootOf(runId))).runs.get(runId);
    if (!state) throw new NotFound(`This server has no run ${runId}`);
    return state;
  }

  /** An ended run, to be resumed. */
  async #reopen(runId: string): Promise<Runner> {
    const rootId = await this.#rootOf(runId);
    if (rootId !== runId) throw belongsToDelegate(runId, rootId);
    return this.#open(rootId);
  }

  async #rootOf(runId: string): Promise<string> {
    const { parent_run_id } = await this.#own(runId);
    return parent_run_id === null ? runId : this.#rootOf(parent_run_id);
  }

  async #own(runId: string): Promise<OwnRun> {
    const run = await this.#engine.ports.journal.find(runId);
    if (!run) throw new NotFound(`This server has no run ${runId}`);
    return run;
  }

  /** A run in a fork is independent of the user's other runs, and simulates its calls unless an operator chose otherwise (E9). */
  async #isolate({ conversation_id, user_id, mode, turn }: RunRequest) {
    if (user_id?.startsWith(FORK_SCOPE))
      throw new InvalidInput(
        `The user id ${user_id} starts with ${FORK_SCOPE}, which is reserved for forks; use another`,
        [{ path: "/user_id", message: `must not start with ${FORK_SCOPE}` }],
      );
    const { isolation } = this.#engine.ports;
    const fork = conversation_id === null || !isolation ? null : await isolation.modeOf(conversation_id);
    if (conversation_id === null || !isolation || fork === null) return { mode, user_scope: user_id, simulated: false };
    const simulated = fork === "shadow" || (turn === null && mode === "shadow");
    return {
      mode: simulated ? ("shadow" as const) : mode,
      user_scope: user_id === null ? null : await isolation.scopeOf(conversation_id, user_id),
      simulated,
    };
  }

  /** Throws `InvalidInput` for tools that are invalid or too expensive to compile. */
  async #toolsOf({ tools }: Pick<PlanRequest, "tools">, by: AnsweredBy = "server"): Promise<Toolset> {
    const sizes = tools.map(({ schema }) => PARTS_OF_A_TOOL + countParts(schema));
    const large = sizes.findIndex((size) => size > MOST_OF_ONE);
    if (large !== -1) {
      const message = `The schema of the tool ${tools[large]?.name} has more than ${MOST_OF_ONE} parts, including those of patterns; register the tool, or simplify its schema`;
      throw new InvalidInput(message, [
        { path: `/tools/${large}/schema`, message: `must have at most ${MOST_OF_ONE} parts` },
      ]);
    }
    const parts = sizes.reduce((sum, size) => sum + size, 0);
    if (parts > MOST_TOGETHER) {
      const message = `The schemas of the request's tools have more than ${MOST_TOGETHER} parts in all; register the tools, or send only those that the plan names`;
      throw new InvalidInput(message, [{ path: "/tools", message: `must have at most ${MOST_TOGETHER} parts` }]);
    }
    const { tools: own, delegates } = this.#engine.ports;
    const making = Toolset.making(own, delegates, tools, by);
    for (let made = making.next(), left = PARTS_AT_ONCE, at = 0; ; made = making.next(), at += 1) {
      if (made.done) return made.value;
      left -= sizes[at] ?? 0;
      if (left > 0) continue;
      await yieldToEventLoop();
      left = PARTS_AT_ONCE;
    }
  }

  async #materialOf({ plan, tools, context }: PlanRequest): Promise<PlanMaterial> {
    return materialOf(this.#engine.env, plan, await this.#toolsOf({ tools }), readMessages(context), []);
  }

  /** Validates small plans on the main thread, large ones in a thread. */
  async #read<Question extends keyof PlanAnswers>(
    question: Question,
    material: PlanMaterial,
  ): Promise<PlanAnswers[Question]> {
    const { plan_threads } = this.#engine.ports;
    if (plan_threads === null || !isLongReading(question, material.plan, material.context))
      return PLAN_READINGS[question](material);
    // The body was parsed in this turn.
    await yieldToEventLoop();
    return plan_threads.read(question, sentOf(material));
  }

  /** Validates a plan against its user's current memory (M15). Throws `UnreadableMemory`. */
  async #withMemory(context: Context, { plan }: RunRequest, userScope: string | null): Promise<Context> {
    const { memory } = this.#engine.ports;
    if (!memory || plan === null || userScope === null) return context;
    const { document } = await memory.load(userScope);
    return withMemory(context, document);
  }

  /** `isSimulated`: the plan is only simulated. */
  async #givenPlan({ plan, turn }: RunRequest, tools: Toolset, context: Context, isSimulated: boolean) {
    if (plan === null) {
      if (turn ? this.#engine.talker : this.#engine.planner) return null;
      throw new InvalidInput("A run without a plan needs a model, but none is configured; send a plan", [
        { path: "/plan", message: "is required, because no model is configured" },
      ]);
    }
    if (countCalls(plan, context) > MOST_CALLS.given)
      throw new InvalidInput(
        `A run may have at most ${MOST_CALLS.given} calls in all instances together; send the plan in parts`,
        [{ path: "/plan", message: `must have at most ${MOST_CALLS.given} calls in all instances together` }],
      );
    const material = materialOf(this.#engine.env, plan, tools, context, []);
    const checked = isSimulated
      ? await this.#read("outline", material)
      : { ...(await this.#read("check", material)), outline: null };
    if (!checked.ok) throw new InvalidPlan(checked.problems);
    return { calls: plan, output: undefined, checked };
  }
}

/** A simulation that has started: errors have already been thrown. */
async function begun(pieces: AsyncGenerator<string> | Generator<string>): Promise<AsyncGenerator<string>> {
  const first = await pieces.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* pieces;
  })();
}

function sentOf({ plan, context, lineage, toolbox }: PlanMaterial): SentPlan {
  return { plan, context, lineage, shapes: shapesFor(plan, toolbox) };
}

function readMessages(messages: readonly JsonObject[]): Context {
  const read = readContext(messages);
  if (read.ok) return read.context;
  const faults = read.faults.map(({ path, message }) => ({ path: `/context${pointerTo(path)}`, message }));
  const [first] = faults;
  throw new InvalidInput(`The context cannot be read: ${first?.path} ${first?.message}`, faults);
}

/** Whether the run was ended here; another replica may take it over meanwhile. */
async function isEndedBy(run: Runner, termination: Termination): Promise<boolean> {
  try {
    await run.ask(() => (run.state.ended ? WAKE : { kind: "terminate", termination }));
    await run.whenEnded();
    return true;
  } catch (error) {
    if (run.isHalted) return false;
    throw error;
  }
}

function takenOverBy(manager: string): Refused {
  return new Refused(`${manager} has taken over the conversation; hand it back first`);
}

function belongsToDelegate(runId: string, rootId: string): Refused {
  return new Refused(`The run ${runId} belongs to a delegate; resume the run ${rootId}, which called it`);
}

function refuseCancel({ id, status }: RunState): void {
  if (status !== "cancelled") throw new Refused(`The run ${id} has already ${status}`);
}
