import { join } from "node:path";
import { openStorage } from "../db/sqlite/open.ts";
import type { Storage } from "../db/storage.ts";
import { createEngine } from "../lib/engine/create-engine.ts";
import type { Engine, RunRequest } from "../lib/engine/engine.ts";
import type { Journal } from "../lib/engine/journal.ts";
import { createSchemaChecker } from "../lib/engine/json-schema.ts";
import type { Ownership } from "../lib/engine/ownership.ts";
import type { RegisteredTool, ToolRegistry } from "../lib/engine/tools/tools.ts";
import { wallClock } from "../lib/server/wall-clock.ts";
import { createJournal } from "../lib/server/wiring/journal.ts";
import type { JsonObject } from "../lib/session/json/json.ts";
import { count, milliseconds, printTable, ratio } from "./table.ts";

/** Events that are appended together. */
type Group = Parameters<Journal["append"]>[0];

const SMALL = 1_000;
const LARGE = 10_000;
const VALIDATED = 5_000;
/** The size of a wave, so that the queue for slots is not measured. */
const CONCURRENCY = 100;

/** A tool without work, so that only the engine and its log are measured. */
const NOTHING: RegisteredTool = {
  name: "nothing",
  description: "Does nothing at once",
  schema: { type: "object", properties: { read: {}, _output: { type: "integer" } } },
  has_activity: true,
  requires_confirmation: false,
  effect: "read",
  guard: null,
  handler: { activity: async () => 1, idempotent: true, timeout_ms: 60_000, retries: 0 },
};

/** A plan of so many calls, of which a hundred at a time can run. */
export function wavesOf100(size: number): JsonObject[] {
  return Array.from({ length: size }, (_, index) => call(index, index < 100 ? [] : [`†state.c${index - 100}`]));
}

const SHAPES: Record<string, (size: number) => JsonObject[]> = {
  "waves of 100": wavesOf100,
  chain: (size) => Array.from({ length: size }, (_, index) => call(index, index === 0 ? [] : [`†state.c${index - 1}`])),
  "wide fan": (size) => Array.from({ length: size }, (_, index) => call(index, index === 0 ? [] : ["†state.c0"])),
  "random graph": (size) => {
    const next = numbers();
    return Array.from({ length: size }, (_, index) =>
      call(index, index < 3 ? [] : [0, 1, 2].map(() => `†state.c${next() % index}`)),
    );
  },
};

/**
 * Benchmarks the engine with durable events: plans of a thousand and of ten thousand calls, compared with appending the
 * same events in the same groups, and the time of validation.
 */
export async function benchEngine(dataDir: string): Promise<void> {
  const rows = [];
  for (const [shape, plan] of Object.entries(SHAPES)) {
    const small = await measure(join(dataDir, `${shape} small`), plan(SMALL));
    const large = await measure(join(dataDir, `${shape} large`), plan(LARGE));
    const growth = large.run / LARGE / (small.run / SMALL);
    rows.push([
      shape,
      milliseconds(large.run),
      `${((large.run * 1_000) / LARGE).toFixed(0)} µs`,
      count(large.appends),
      ratio(large.run / large.log),
      ratio(growth),
    ]);
  }
  printTable(
    `${count(LARGE)} calls with durable events (100 waves: under 2 s; growth: linear is 1.00 ×)`,
    ["plan", "time", "per call", "commits", "to the log alone", "per call, to 1,000 calls"],
    rows,
  );
  await benchValidation();
}

async function benchValidation(): Promise<void> {
  const engine = engineWith({ append: async () => undefined });
  const rows: string[][] = [];
  for (const [shape, plan] of Object.entries(SHAPES)) {
    const timeOf = async (size: number) => {
      const request = { plan: plan(size), tools: [], context: [] };
      await engine.validate(request);
      const started = performance.now();
      await engine.validate(request);
      return performance.now() - started;
    };
    const small = await timeOf(VALIDATED / 10);
    const large = await timeOf(VALIDATED);
    rows.push([shape, milliseconds(large), ratio(large / 10 / small)]);
  }
  printTable(`Validation of ${count(VALIDATED)} calls (under 300 ms)`, ["plan", "time", "per call, to a tenth"], rows);
}

async function measure(dataDir: string, plan: JsonObject[]): Promise<{ run: number; log: number; appends: number }> {
  const storage = await openStorage({ dataDir, durability: "full", onCommit: () => undefined, logger: console });
  // A server that has run for a minute: code that runs for the first time takes twice as long, and only the run would pay.
  await timeRun(storage, null, plan);
  const { run, groups } = await timeRun(storage, null, plan);
  const log = await timeOfLog(storage.log, groups);
  await storage.close();
  return { run, log, appends: groups.length };
}

/** Runs a plan. Returns the time it took, ms, and what was appended together. */
export async function timeRun(
  { log, runs, conversations }: Pick<Storage, "log" | "runs" | "conversations">,
  ownership: Ownership | null,
  plan: JsonObject[],
): Promise<{ run: number; groups: Group[] }> {
  const journal = createJournal(log, runs, conversations);
  const groups: Group[] = [];
  const ended = Promise.withResolvers<void>();
  const recording: Partial<Journal> = {
    ...journal,
    async append(events, hold) {
      groups.push(events);
      await journal.append(events, hold);
      if (events.some(({ type }) => type === "run.finished")) ended.resolve();
    },
  };
  const engine = engineWith(recording, ownership);
  await engine.recover();
  const started = performance.now();
  await engine.start(requestOf(plan));
  await ended.promise;
  const run = performance.now() - started;
  await engine.stop();
  return { run, groups };
}

/** Appends the same events with other ids to the same log. */
async function timeOfLog(
  log: { appendOwn(events: Group): Promise<unknown> },
  groups: readonly Group[],
): Promise<number> {
  const again = (id: string | null) => (id === null ? null : `${id}-again`);
  const copies = groups.map((events) =>
    events.map((event) => ({
      ...event,
      id: `${event.id}-again`,
      conversation_id: again(event.conversation_id),
      run_id: again(event.run_id),
      caused_by: again(event.caused_by),
    })),
  );
  const started = performance.now();
  for (const events of copies) await log.appendOwn(events);
  return performance.now() - started;
}

function engineWith(journal: Partial<Journal>, ownership: Ownership | null = null): Engine {
  const tools: ToolRegistry = {
    list: () => [NOTHING],
    find: (name) => (name === NOTHING.name ? NOTHING : undefined),
    activity: () => undefined,
    make: () => NOTHING,
    register: async () => NOTHING,
    sealed: (definition) => definition,
  };
  return createEngine({
    journal: {
      append: async () => undefined,
      appendWithMemory: async () => null,
      read: async () => [],
      find: async () => null,
      open: async () => [],
      takenOver: async () => null,
      unusedApproval: async () => null,
      ...journal,
    },
    ownership,
    tools,
    delegates: { list: () => [], find: () => undefined, register: async (definition) => definition },
    model: null,
    talker: null,
    checker: createSchemaChecker(),
    plan_threads: null,
    clock: wallClock,
    memory: null,
    prompts: { fill: unasked, tell: unasked },
    dialog: null,
    director: null,
    drafts: null,
    isolation: null,
    allowance: null,
    runs_at_once: Number.POSITIVE_INFINITY,
    random: Math.random,
    logger: console,
  });
}

/** No model is used. */
function unasked(): never {
  throw new Error("The benchmark's plans are given");
}

function requestOf(plan: JsonObject[]): RunRequest {
  return {
    plan,
    tools: [],
    context: [],
    mode: "execute",
    confirm: [],
    conversation_id: null,
    user_id: null,
    agent_id: null,
    concurrency: CONCURRENCY,
    max_iterations: null,
    budget: {},
    output_schema: null,
    turn: null,
  };
}

function call(index: number, reads: string[]): JsonObject {
  return { _tool: NOTHING.name, _id: `c${index}`, read: reads, _outputPath: `†state.c${index}` };
}

/** Deterministic numbers, so that runs of the benchmark can be compared. */
function numbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
