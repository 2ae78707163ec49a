import { randomUUIDv7 } from "node:crypto";
import { readContext } from "../plan/context.ts";
import type { Context } from "../plan/message.ts";
import { pointerTo } from "../plan/problem.ts";
import { simulate } from "../plan/simulate.ts";
import type { Simulation } from "../plan/simulation.ts";
import { FORK_SCOPE } from "../session/fork-scope.ts";
import type { JsonObject } from "../session/json.ts";
import type { CallPlace, Decision, Engine, PlanRequest, RunCount, RunRequest, Validation } from "./engine.ts";
import { InvalidInput, InvalidPlan, NotFound, Refused, TooManyRuns } from "./errors.ts";
import type { OwnRun } from "./journal.ts";
import { createPlanner } from "./planning/planner.ts";
import { DEFAULT_CONCURRENCY, DEFAULT_ITERATIONS, type EnginePorts } from "./ports.ts";
import { beginRun } from "./run/begin-run.ts";
import { BudgetUse } from "./run/budget.ts";
import { shut } from "./run/closing.ts";
import { decide, openConfirmation } from "./run/decide.ts";
import { House } from "./run/house.ts";
import { type Checked, checkPlan } from "./run/propose.ts";
import { REASONS } from "./run/reasons.ts";
import { loadTree, takeUpTree } from "./run/recover.ts";
import { resumeRun } from "./run/resume.ts";
import { RunMemory } from "./run/run-memory.ts";
import { withMemory } from "./run/run-reads.ts";
import { RunState } from "./run/run-state.ts";
import type { Runner } from "./run/runner.ts";
import { givingWayTo, isOpenTurn, isTurn } from "./run/taken-over.ts";
import { countParts, MOST_PARTS } from "./schema-cost.ts";
import { Toolset } from "./tools/toolset.ts";

/** Makes the engine of a server. Runs that an earlier process left open go on when `recover` is called. */
export function createEngine(ports: EnginePorts): Engine {
  return new PlanEngine(
    new House(ports, ports.model && createPlanner(ports.model), ports.talker && createPlanner(ports.talker)),
  );
}

/** Making a compiler for a schema takes as long as reading so many parts of it. */
const PARTS_OF_A_TOOL = 10;

class PlanEngine implements Engine {
  readonly #house: House;
  /** Top-level runs on their way from the log, so that nothing takes one up twice, or as it was before another did. */
  readonly #opening = new Map<string, Promise<Runner>>();
  #stopped = false;

  constructor(house: House) {
    this.#house = house;
  }

  validate(request: PlanRequest): Validation {
    const { ok, problems, graph } = this.#check(request, this.#toolsOf(request)).checked;
    return { ok, problems, graph };
  }

  simulate({ branches, ...request }: PlanRequest & { branches: Record<string, number> }): Simulation {
    const toolbox = this.#toolsOf(request);
    const { checked, context } = this.#check(request, toolbox);
    if (!checked.ok) throw new InvalidPlan(checked.problems);
    checkBranches(checked, branches);
    const [instance = ""] = checked.instances;
    const calls = checked.calls.filter((call) => call.instance === "" || call.instance === instance);
    return simulate({ calls, context, instance, toolbox, branches, checker: this.#house.ports.checker });
  }

  async start(request: RunRequest): Promise<{ conversation_id: string; run_id: string }> {
    this.#refuseStopped();
    const { turn } = request;
    const all = this.#toolsOf(request);
    const tools = all.only(turn?.tools ?? null);
    const unknown = request.confirm.findIndex((name) => !tools.tool(name));
    if (unknown >= 0)
      throw new InvalidInput(`There is no tool ${request.confirm[unknown]} to confirm`, [
        { path: `/confirm/${unknown}`, message: "is no tool of this run" },
      ]);
    const context = readMessages(request.context);
    const isolated = await this.#isolate(request);
    const plan = this.#givenPlan(request, tools, await this.#withMemory(context, request, isolated.user_scope));
    // A user's words are never lost: they wait in the log until their turn comes.
    if (turn === null && this.#house.isFull()) throw new TooManyRuns(this.#house.ports.runs_at_once);
    const run_id = turn?.run_id ?? randomUUIDv7();
    const conversation_id = request.conversation_id ?? randomUUIDv7();
    const { agent_id, confirm, budget, output_schema, user_id } = request;
    const state = new RunState(
      { id: run_id, conversation_id, parent_run_id: null, agent_id },
      new BudgetUse(),
      new RunMemory(),
    );
    const run = this.#house.open(state, all, null);
    await run.ask(() =>
      beginRun(run, {
        isNewConversation: request.conversation_id === null,
        ...isolated,
        confirm,
        concurrency: request.concurrency ?? DEFAULT_CONCURRENCY,
        max_iterations: request.max_iterations ?? DEFAULT_ITERATIONS,
        budget,
        context,
        tools: request.tools,
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
        delegate: null,
      }),
    );
    return { conversation_id, run_id };
  }

  async cancel(runId: string, actor: string): Promise<void> {
    const run = await this.#going(runId);
    if (!run) return refuseCancel(await this.#ended(runId));
    await run.ask(() => {
      if (run.state.ended) return refuseCancel(run.state);
      shut(run, { reason: REASONS.cancelledBy(actor), error: null, actor, gently: false });
    });
    await run.whenEnded();
  }

  async giveWay(conversationId: string, manager: string): Promise<void> {
    await Promise.allSettled(this.#opening.values());
    const turns = [...this.#house.runners.values()].filter(
      (run) => run.state.conversation_id === conversationId && isOpenTurn(run),
    );
    await Promise.all(
      turns.map(async (run) => {
        await run.ask(() => isOpenTurn(run) && shut(run, givingWayTo(manager)));
        await run.whenEnded();
      }),
    );
  }

  async resume(runId: string, calls: CallPlace[], actor: string): Promise<void> {
    const run = (await this.#going(runId)) ?? (await this.#reopen(runId));
    const manager = isTurn(run) ? await this.#house.ports.journal.takenOver(run.state.conversation_id) : null;
    if (manager !== null) throw new Refused(`${manager} has taken the conversation over; hand it back first`);
    this.#refuseStopped();
    await run.ask(() => resumeRun(run, calls, actor));
  }

  async decide(confirmationId: string, runId: string, decision: Decision): Promise<void> {
    const run = await this.#going(runId);
    if (run) return run.ask(() => decide(run, confirmationId, decision));
    if (openConfirmation(await this.#ended(runId), confirmationId, decision))
      throw new Refused(`The run ${runId} has ended, so there is nothing to decide any more`);
  }

  async recover(): Promise<void> {
    const { journal, logger } = this.#house.ports;
    for (const { run_id, conversation_id } of await journal.open()) {
      if (this.#stopped) return;
      try {
        await this.#open(run_id);
      } catch (error) {
        logger.error({ err: error, run_id, conversation_id }, "A run could not be taken up; the others go on");
      }
    }
  }

  async settled(runId: string): Promise<void> {
    await this.#house.runners.get(runId)?.whenSettled();
  }

  count(): RunCount {
    const open = [...this.#house.runners.values()].filter(({ parent }) => parent === null);
    return { open: open.length, waiting: open.filter(({ state }) => state.status === "waiting").length };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#house.runners.values()].map((run) => run.halt({ isStop: true })));
  }

  /** A run that goes on here, taken up from the log if it has to be; null when it has ended. */
  async #going(runId: string): Promise<Runner | null> {
    const { runners, ports } = this.#house;
    const known = runners.get(runId);
    if (known) return known;
    const { parent_run_id } = await this.#own(runId);
    if (parent_run_id !== null) {
      const parent = await this.#going(parent_run_id);
      // Runs of delegates are taken up by the run that waits for them, in a tick of its own.
      await parent?.ask(() => undefined);
    } else if ((await ports.journal.open()).some(({ run_id }) => run_id === runId)) await this.#open(runId);
    return runners.get(runId) ?? null;
  }

  /** The runner of a top-level run, taken up from the log if need be. */
  async #open(rootId: string): Promise<Runner> {
    const known = this.#house.runners.get(rootId) ?? this.#opening.get(rootId);
    if (known) return known;
    const opening = this.#takeUp(rootId).finally(() => this.#opening.delete(rootId));
    this.#opening.set(rootId, opening);
    return opening;
  }

  async #takeUp(rootId: string): Promise<Runner> {
    const tree = await loadTree(this.#house, rootId);
    const conversation = tree.runs.get(rootId)?.conversation_id;
    const manager = conversation === undefined ? null : await this.#house.ports.journal.takenOver(conversation);
    this.#refuseStopped();
    const run = takeUpTree(this.#house, tree, rootId);
    // The process before ended between the takeover and its effect.
    if (manager !== null && isOpenTurn(run)) shut(run, givingWayTo(manager));
    return run;
  }

  #refuseStopped(): void {
    if (this.#stopped) throw new Refused("The server is stopping; try again when it is back");
  }

  /** A run that has ended, as the log tells it. */
  async #ended(runId: string): Promise<RunState> {
    const state = (await loadTree(this.#house, await this.#rootOf(runId))).runs.get(runId);
    if (!state) throw new NotFound(`There is no run ${runId} of this server's own`);
    return state;
  }

  /** A run that has ended, to go on. */
  async #reopen(runId: string): Promise<Runner> {
    const rootId = await this.#rootOf(runId);
    if (rootId !== runId)
      throw new Refused(`The run ${runId} is a delegate's; resume the run ${rootId} that called it`);
    return this.#open(rootId);
  }

  async #rootOf(runId: string): Promise<string> {
    const { parent_run_id } = await this.#own(runId);
    return parent_run_id === null ? runId : this.#rootOf(parent_run_id);
  }

  async #own(runId: string): Promise<OwnRun> {
    const run = await this.#house.ports.journal.find(runId);
    if (!run) throw new NotFound(`There is no run ${runId} of this server's own`);
    return run;
  }

  /** A run in a fork has nothing to do with the user's other runs, and simulates its calls unless a person chose otherwise (E9). */
  async #isolate({ conversation_id, user_id, mode, turn }: RunRequest) {
    if (user_id?.startsWith(FORK_SCOPE))
      throw new InvalidInput(
        `The user id ${user_id} begins with ${FORK_SCOPE}, as the scopes of forks do; use another`,
        [{ path: "/user_id", message: `must not begin with ${FORK_SCOPE}` }],
      );
    const { isolation } = this.#house.ports;
    const fork = conversation_id === null || !isolation ? null : await isolation.modeOf(conversation_id);
    if (conversation_id === null || !isolation || fork === null) return { mode, user_scope: user_id, simulated: false };
    const simulated = fork === "shadow" || (turn === null && mode === "shadow");
    return {
      mode: simulated ? ("shadow" as const) : mode,
      user_scope: user_id === null ? null : await isolation.scopeOf(conversation_id, user_id),
      simulated,
    };
  }

  /** Throws `InvalidInput` for tools that do not hold, or would take long to be read. */
  #toolsOf({ tools }: Pick<PlanRequest, "tools">): Toolset {
    const parts = tools.reduce((sum, { schema }) => sum + PARTS_OF_A_TOOL + countParts(schema), 0);
    if (parts > MOST_PARTS) {
      const message = `The schemas of the request's tools have more than ${MOST_PARTS} parts together; register the tools, or send those that the plan names`;
      throw new InvalidInput(message, [{ path: "/tools", message: `must have at most ${MOST_PARTS} parts` }]);
    }
    return Toolset.of(this.#house.ports.tools, this.#house.ports.delegates, tools);
  }

  #check({ plan, context: messages }: PlanRequest, tools: Toolset): { checked: Checked; context: Context } {
    const context = readMessages(messages);
    return { checked: checkPlan(this.#house, plan, tools, context, []), context };
  }

  /** A plan is checked against its user's memory as it is now (M15). Throws `UnreadableMemory`. */
  async #withMemory(context: Context, { plan }: RunRequest, userScope: string | null): Promise<Context> {
    const { memory } = this.#house.ports;
    if (!memory || plan === null || userScope === null) return context;
    const { document } = await memory.load(userScope);
    return withMemory(context, document);
  }

  #givenPlan({ plan, turn }: RunRequest, tools: Toolset, context: Context) {
    if (plan === null) {
      if (turn ? this.#house.talker : this.#house.planner) return null;
      throw new InvalidInput("A run without a plan needs a model, and this server has none; give it a plan", [
        { path: "/plan", message: "is required where there is no model" },
      ]);
    }
    const checked = checkPlan(this.#house, plan, tools, context, []);
    if (!checked.ok) throw new InvalidPlan(checked.problems);
    return { calls: plan, output: undefined, checked };
  }
}

function readMessages(messages: readonly JsonObject[]): Context {
  const read = readContext(messages);
  if (read.ok) return read.context;
  const faults = read.faults.map(({ path, message }) => ({ path: `/context${pointerTo(path)}`, message }));
  const [first] = faults;
  throw new InvalidInput(`The context cannot be read: ${first?.path} ${first?.message}`, faults);
}

function checkBranches({ calls }: Checked, branches: Record<string, number>): void {
  const alternatives = new Map(calls.map(({ id, output }) => [id, output?.length ?? 0]));
  const faults = Object.entries(branches).flatMap(([id, index]) => {
    const count = alternatives.get(id);
    if (count !== undefined && index < count) return [];
    const message = count === undefined ? "is no call of this plan" : `has ${count} alternatives, counted from 0`;
    return [{ path: `/branches${pointerTo([id])}`, message }];
  });
  const [first] = faults;
  if (first) throw new InvalidInput(`There is no such branch: ${first.path} ${first.message}`, faults);
}

function refuseCancel({ id, status }: RunState): void {
  if (status !== "cancelled") throw new Refused(`The run ${id} has ${status} already`);
}
