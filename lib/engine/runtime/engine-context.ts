import { createHash } from "node:crypto";
import type { Planner } from "../planning/port.ts";
import type { EnginePorts } from "../ports.ts";
import type { StepEnv } from "../step/env.ts";
import type { InputOf } from "../step/input.ts";
import type { Run } from "../step/run.ts";
import type { Seed } from "../step/state/ids.ts";
import type { step } from "../step/step.ts";
import { Runner } from "./runner.ts";
import { TurnQueue } from "./turn-queue.ts";

/** What all runs of an engine share. */
export class EngineContext {
  readonly ports: EnginePorts;
  /** What is decided by: a test may look at all that goes through. */
  readonly step: typeof step;
  /** The configuration that steps read. */
  readonly env: StepEnv;
  readonly nextSeed = createSeeds();
  /** Null if there is no model. */
  readonly planner: Planner | null;
  /** The model that answers users in turns; null if none does. */
  readonly talker: Planner | null;
  /** The active runs of this process, including delegates' runs. */
  readonly runners = new Map<string, Runner>();
  /** The runner of each run, also after its end. */
  readonly runnerOf = new WeakMap<Run, Runner>();
  /** The turn queues of users (M11). */
  readonly turns: TurnQueue<Runner>;
  /** The user and version of the memory that each conversation's log recorded last: several users may talk in one. */
  readonly recordedMemory = new Map<string, { user_id: string; version: number }>();
  /** Withdraws a request of a run that no runner here has; null where this process carries on all. */
  withdrawElsewhere: ((runId: string, request: InputOf<"withdraw">) => void) | null = null;
  /** Earlier approvals that calls are about to use: no two calls use the same one (P22a). */
  readonly grants = new Set<string>();

  constructor(ports: EnginePorts, models: { planner: Planner | null; talker: Planner | null }, decide: typeof step) {
    this.ports = ports;
    this.step = decide;
    this.turns = new TurnQueue(ports.runs_at_once, () => this.#atWorkBeside());
    this.planner = models.planner;
    this.talker = models.talker;
    const { checker, tools, delegates, memory, dialog, drafts } = ports;
    this.env = { checker, tools, delegates, memory, dialog, drafts, ...models, digest };
  }

  /** Registers a run and creates its runner. */
  open(run: Run, parent: Runner | null): Runner {
    const runner = new Runner(this, run, parent);
    this.runners.set(run.id, runner);
    this.runnerOf.set(run, runner);
    return runner;
  }

  /** Whether the limit of concurrent top-level runs is reached. Runs that wait for an approval do not count. */
  isFull(): boolean {
    return this.turns.size + this.#atWorkBeside() >= this.ports.runs_at_once;
  }

  /** Active top-level runs that no turn queue holds. */
  #atWorkBeside(): number {
    let count = 0;
    for (const { parent, state, isTurn } of this.runners.values()) {
      const isOver = state.ended || state.status === "waiting";
      if (parent === null && !isTurn && !isOver) count += 1;
    }
    return count;
  }

  remove(runner: Runner): void {
    const { id, conversation_id } = runner.state;
    if (this.runners.get(id) !== runner) return;
    this.runners.delete(id);
    if (!this.recordedMemory.has(conversation_id)) return;
    const others = [...this.runners.values()];
    if (!others.some(({ state }) => state.conversation_id === conversation_id))
      this.recordedMemory.delete(conversation_id);
  }
}

/** The digest of a long text. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const WORDS = 4;
const SEEDS_AT_ONCE = 1_024;

/** Draws seeds for steps from the system's random source, in batches. */
function createSeeds(): () => Seed {
  const pool = new Uint32Array(WORDS * SEEDS_AT_ONCE);
  let next = pool.length;
  return () => {
    if (next === pool.length) {
      crypto.getRandomValues(pool);
      next = 0;
    }
    const draw = () => pool[next++] ?? 0;
    return [draw(), draw(), draw(), draw()];
  };
}
