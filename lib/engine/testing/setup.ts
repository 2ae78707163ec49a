import { expect, onTestFinished } from "vitest";
import { VirtualClock } from "../../../demo/examples/virtual-clock.ts";
import { createPrompts } from "../../dialog/prompts/prompts.ts";
import type { Effect } from "../../memory/actions/happening.ts";
import type { SessionEvent } from "../../session/event.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { emptySession, fold } from "../../session/reducer/reducer.ts";
import type { Confirmation, Session } from "../../session/session.ts";
import { createEngine } from "../create-engine.ts";
import type { Decision, Engine, RunRequest, Turn } from "../engine.ts";
import type { Isolation } from "../isolation.ts";
import { createSchemaChecker } from "../json-schema.ts";
import type { Memory } from "../memory.ts";
import type { Model } from "../model.ts";
import type { Ownership } from "../ownership.ts";
import type { Allowance, EngineLogger, EnginePorts } from "../ports.ts";
import type { Prompts } from "../prompt.ts";
import { replayRun } from "../replay/replay-run.ts";
import { digest } from "../runtime/engine-context.ts";
import type { StepEnv } from "../step/env.ts";
import { isRunEvent, type RunEvent } from "../step/state/run-event.ts";
import type { Activity } from "../tools/activity.ts";
import { Choice } from "../tools/activity.ts";
import type { DelegateDefinition } from "../tools/delegate.ts";
import type { Control, Guard, Handler, RegisteredTool, ToolRegistry } from "../tools/tools.ts";
import type { Dialog, Director, Drafts } from "../turn.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { Recorder } from "./recorder.ts";

export const START = Date.parse("2026-01-01T00:00:00.000Z");

/** What a test says of a tool; the rest is as harmless as can be. */
export interface TestTool {
  activity?: Activity;
  schema?: JsonObject;
  idempotent?: boolean;
  retries?: number;
  timeout_ms?: number;
  requires_confirmation?: boolean;
  effect?: Effect;
  control?: Control;
  guard?: Guard;
  description?: string;
}

export interface SetupOptions {
  tools?: Record<string, TestTool>;
  activities?: Record<string, Activity>;
  delegates?: (Partial<DelegateDefinition> & { name: string })[];
  model?: Model;
  journal?: MemoryJournal;
  clock?: VirtualClock;
  logger?: EngineLogger;
  memory?: Memory;
  prompts?: Prompts;
  dialog?: Dialog;
  director?: Director;
  drafts?: Drafts;
  allowance?: Allowance;
  isolation?: Isolation;
  runs_at_once?: number;
  ownership?: Ownership;
}

const checker = createSchemaChecker();

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** What a turn has of its agent. */
export const AGENT: Pick<Turn, "instructions" | "history" | "timezone" | "household_id" | "tools" | "locale"> = {
  instructions: "Be kind.",
  history: { source: "provider", max_tokens: 4_000, max_chars: null, max_messages: 200, locale: "en" },
  timezone: null,
  household_id: null,
  tools: null,
  locale: "en",
};

/** An engine with tools of the test's own, a journal in memory and time that passes when nothing else can. */
export function setup(options: SetupOptions = {}) {
  const journal = options.journal ?? new MemoryJournal();
  const clock = options.clock ?? new VirtualClock(START);
  const logged: string[] = [];
  const log = (fields: object, message: string) => {
    logged.push("err" in fields ? `${message}: ${fields.err}` : message);
  };
  const recorder = new Recorder((runId) => journal.treeOf(runId));
  const env = envOf(options);
  // Whatever ran in a test runs again through the step alone, and by what its log has of it.
  onTestFinished(() => {
    recorder.replay();
    if (options.journal) return;
    for (const tree of journal.trees()) expect(replayRun(tree, env)).not.toMatchObject({ outcome: "differs" });
  });
  const engine = createTestEngine({ logger: { warn: log, error: log }, ...options, journal, clock }, recorder.step);
  return new Bench(engine, journal, clock, logged);
}

/** What its steps read. */
function envOf({ tools = {}, activities = {}, delegates = [], model, memory, dialog, drafts }: SetupOptions): StepEnv {
  const named = model ? { model: model.model, provider: model.provider } : null;
  return {
    checker,
    tools: toolRegistry(tools, activities),
    delegates: delegateRegistry(delegates),
    memory: memory ?? null,
    dialog: dialog ?? null,
    drafts: drafts ?? null,
    planner: named,
    talker: named,
    digest,
  };
}

/** An engine with tools of the test's own, on any journal. */
export function createTestEngine(
  options: Omit<SetupOptions, "journal" | "clock"> & Pick<EnginePorts, "journal" | "clock" | "logger">,
  decide?: Parameters<typeof createEngine>[1],
): Engine {
  const { journal, clock, logger } = options;
  const ports: EnginePorts = {
    journal,
    ownership: options.ownership ?? null,
    tools: toolRegistry(options.tools ?? {}, options.activities ?? {}),
    delegates: delegateRegistry(options.delegates ?? []),
    model: options.model ?? null,
    talker: options.model ?? null,
    checker,
    plan_threads: null,
    clock,
    memory: options.memory ?? null,
    prompts: options.prompts ?? createPrompts({ logger: SILENT, debug: false }),
    dialog: options.dialog ?? null,
    director: options.director ?? null,
    drafts: options.drafts ?? null,
    allowance: options.allowance ?? null,
    isolation: options.isolation ?? null,
    runs_at_once: options.runs_at_once ?? Number.POSITIVE_INFINITY,
    random: () => 0.5,
    logger,
  };
  return createEngine(ports, decide);
}

/** What a test does with an engine, and how it looks at what came of it. */
export class Bench {
  readonly engine: Engine;
  readonly journal: MemoryJournal;
  readonly clock: VirtualClock;
  /** What an operator was told. */
  readonly logged: string[];

  constructor(engine: Engine, journal: MemoryJournal, clock: VirtualClock, logged: string[]) {
    this.engine = engine;
    this.journal = journal;
    this.clock = clock;
    this.logged = logged;
  }

  /** Starts a run, and lets time pass until it has ended or waits. */
  async run(plan: JsonObject[] | null, more: Partial<RunRequest> = {}): Promise<string> {
    const id = await this.start(plan, more);
    await this.settle(id);
    return id;
  }

  async start(plan: JsonObject[] | null, more: Partial<RunRequest> = {}): Promise<string> {
    const { run_id } = await this.clock.until(this.engine.start(request(plan, more)));
    return run_id;
  }

  settle(runId: string): Promise<void> {
    return this.clock.until(this.engine.settled(runId));
  }

  /** Decides the only open confirmation, or the one of that call. */
  async decide(more: Partial<Decision> & Pick<Decision, "decision">, callId?: string): Promise<void> {
    const open = [...this.session().confirmations.values()].filter(
      ({ status, call_id }) => status === "requested" && (callId === undefined || call_id === callId),
    );
    const [confirmation] = open;
    if (!confirmation || open.length > 1) throw new Error(`${open.length} confirmations are open`);
    const decision: Decision = { reason: null, action: null, result: undefined, actor: "operator:ann", ...more };
    await this.clock.until(this.engine.decide(confirmation.id, confirmation.run_id ?? "", decision));
  }

  /** Approves whatever waits for a person; gives what that was. */
  async approveAll(): Promise<Confirmation[]> {
    const open = [...this.session().confirmations.values()].filter(({ status }) => status === "requested");
    const words = { decision: "approve" as const, reason: null, action: null, result: undefined };
    for (const { id, run_id } of open)
      await this.clock.until(this.engine.decide(id, run_id ?? "", { ...words, actor: "operator:ann" }));
    return open;
  }

  /** The events of a type, as the log has them. */
  events<T extends RunEvent["type"]>(type: T): (Extract<RunEvent, { type: T }> & SessionEvent)[] {
    return this.journal.events.filter((event): event is Extract<RunEvent, { type: T }> & SessionEvent => {
      return isRunEvent(event) && event.type === type;
    });
  }

  /** The types of all events, in order. */
  get types(): string[] {
    return this.journal.events.map(({ type }) => type);
  }

  /** The session as readers see it. */
  session(): Session {
    return fold(emptySession(this.journal.events[0]?.conversation_id ?? null), this.journal.events);
  }

  runOf(runId: string) {
    const run = this.session().runs.get(runId);
    if (!run) throw new Error(`no run ${runId}`);
    return run;
  }

  /** The state of a run's instance as readers see it. */
  state(runId: string, instance = ""): Json | undefined {
    return this.runOf(runId).state[instance];
  }

  /** Each call of a run and what became of it: `id` or `instance/id`, or with the iteration in front when there are several. */
  statuses(runId: string): Record<string, string> {
    const calls = [...this.session().calls.values()].filter(({ run_id }) => run_id === runId);
    const many = new Set(calls.map(({ iteration }) => iteration)).size > 1;
    return Object.fromEntries(
      calls.map(({ id, instance, iteration, status, handled }) => [
        `${many ? `${iteration}:` : ""}${instance === "" ? "" : `${instance}/`}${id}`,
        handled ? `${status} handled` : status,
      ]),
    );
  }

  call(runId: string, id: string, instance = "") {
    const calls = [...this.session().calls.values()];
    const call = calls.findLast((each) => each.run_id === runId && each.id === id && each.instance === instance);
    if (!call) throw new Error(`no call ${id}`);
    return call;
  }

  /** An engine of the next process, on what this one left on disk. */
  successor(options: SetupOptions): Bench {
    return setup({
      ...options,
      journal: new MemoryJournal(this.journal.events, this.journal.documents),
      clock: this.clock,
    });
  }
}

export function request(plan: JsonObject[] | null, more: Partial<RunRequest> = {}): RunRequest {
  return {
    plan,
    tools: [],
    context: [],
    mode: "execute",
    confirm: [],
    conversation_id: null,
    user_id: null,
    agent_id: null,
    concurrency: null,
    max_iterations: null,
    budget: {},
    output_schema: null,
    turn: null,
    ...more,
  };
}

/** A state message. */
export function state(data: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "data", kind: "state", data, ...more };
}

/** An input message. */
export function input(data: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "data", kind: "input", data, ...more };
}

/** An activity that gives what it is told as `value`, by `path` where one is told. */
export const echo: Activity = async ({ value, path }) =>
  typeof path === "string" ? new Choice(path, value ?? null) : (value ?? null);

function toolRegistry(tools: Record<string, TestTool>, activities: Record<string, Activity>): ToolRegistry {
  const handlerOf = (activity: Activity, tool: TestTool): Handler => ({
    activity,
    idempotent: tool.idempotent ?? true,
    timeout_ms: tool.timeout_ms ?? 60_000,
    retries: tool.retries ?? 0,
  });
  const all = new Map(
    Object.entries(tools).map(([name, tool]): [string, RegisteredTool] => [
      name,
      {
        name,
        description: tool.description ?? "",
        schema: tool.schema ?? {},
        has_activity: tool.activity !== undefined,
        requires_confirmation: tool.requires_confirmation ?? false,
        effect: tool.effect ?? "change",
        guard: tool.guard ?? null,
        ...(tool.control === undefined ? {} : { control: tool.control }),
        handler: tool.activity ? handlerOf(tool.activity, tool) : null,
      },
    ]),
  );
  const never = () => Promise.reject(new Error("nothing is registered in these tests"));
  return {
    list: () => [...all.values()],
    find: (name) => all.get(name),
    activity: (name) => {
      const activity = activities[name];
      return activity && handlerOf(activity, {});
    },
    make: ({ name, description, schema, requires_confirmation, effect = "change" }) => ({
      ...{ name, description, schema, requires_confirmation, effect },
      guard: null,
      has_activity: false,
      handler: all.get(name)?.handler ?? null,
    }),
    register: never,
    sealed: (definition) => definition,
  };
}

function delegateRegistry(delegates: readonly (Partial<DelegateDefinition> & { name: string })[]) {
  const all = new Map(
    delegates.map((delegate): [string, DelegateDefinition] => [
      delegate.name,
      { description: "", context: [], strict: false, writes: [], ...delegate },
    ]),
  );
  return {
    list: () => [...all.values()],
    find: (name: string) => all.get(name),
    register: () => Promise.reject(new Error("nothing is registered in these tests")),
  };
}
