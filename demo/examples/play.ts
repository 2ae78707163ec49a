import type { NewEvent } from "../../db/repositories.ts";
import { createEngine } from "../../lib/engine/create-engine.ts";
import type { Journal } from "../../lib/engine/journal.ts";
import type { Model } from "../../lib/engine/model.ts";
import type { Clock, EngineLogger } from "../../lib/engine/ports.ts";
import type { Prompts } from "../../lib/engine/prompt.ts";
import type { DelegateRegistry } from "../../lib/engine/tools/delegate.ts";
import type { SchemaChecker } from "../../lib/plan/schema/schema-checker.ts";
import type { Example, Saying } from "./example.ts";
import { outsideTools } from "./outside-tools.ts";
import { scriptedModel } from "./scripted-model.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** Any time: it is shifted later. */
const START = Date.parse("2026-01-01T00:00:00.000Z");
/** The time of an append to the log: an fsync. */
const APPEND_MS = 3;

/** What a run needs besides its example. */
export interface Stage {
  delegates: DelegateRegistry;
  checker: SchemaChecker;
  prompts: Prompts;
  /** The model; in-process by default. */
  modelFor?: (sayings: readonly Saying[], clock: Clock) => Model;
}

/**
 * Runs an example with the engine in virtual time, and returns the events of its runs in log order. Rejects when the
 * engine refuses it, or when it makes no progress.
 */
export async function play(
  example: Example,
  { delegates, checker, prompts, modelFor = scriptedModel }: Stage,
): Promise<NewEvent[]> {
  const clock = new VirtualClock(START);
  const events: NewEvent[] = [];
  const engine = createEngine({
    journal: recordingJournal(events, clock),
    ownership: null,
    tools: await outsideTools(example, clock, checker),
    delegates,
    model: modelFor(example.said, clock),
    talker: null,
    checker,
    plan_threads: null,
    clock,
    memory: null,
    prompts,
    dialog: null,
    director: null,
    drafts: null,
    isolation: null,
    allowance: null,
    runs_at_once: Number.POSITIVE_INFINITY,
    random: () => 0.5,
    logger: RAISING,
  });
  const { context, tools, plan, output_schema } = example;
  const started = engine.start({
    context,
    tools,
    plan,
    output_schema,
    mode: "execute",
    confirm: [],
    conversation_id: example.id,
    user_id: example.user,
    agent_id: example.agent,
    concurrency: null,
    max_iterations: null,
    budget: {},
    turn: null,
  });
  const { run_id } = await clock.until(started);
  await clock.until(engine.settled(run_id));
  await engine.stop();
  return events;
}

/** A log in memory; runs are never resumed, so nothing is read. */
function recordingJournal(events: NewEvent[], clock: VirtualClock): Journal {
  return {
    async append(more) {
      await clock.sleep(APPEND_MS);
      events.push(...more);
    },
    appendWithMemory: () => Promise.reject(new Error("The agents of the examples have no memory")),
    read: async () => [],
    find: async () => null,
    open: async () => [],
    takenOver: async () => null,
    unusedApproval: async () => null,
  };
}

/** A log message for operators is an error here. */
const RAISING: EngineLogger = { warn: raise, error: raise };

function raise(fields: object, message: string): never {
  throw new Error(message, { cause: "err" in fields ? fields.err : fields });
}
