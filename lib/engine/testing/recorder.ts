import { expect } from "vitest";
import type { SessionEvent } from "../../session/event.ts";
import type { Effect, ImmediateEffect } from "../step/effect.ts";
import type { Input, Moment } from "../step/input.ts";
import { newTree, Run } from "../step/run.ts";
import { BudgetUse } from "../step/state/budget.ts";
import { TreeReader } from "../step/state/found-tree.ts";
import { RunMemory } from "../step/state/run-memory.ts";
import { RunState } from "../step/state/run-state.ts";
import { type Advance, type Stepped, step } from "../step/step.ts";

/** A step that was taken, with all that it was given. */
interface RecordedStep {
  run: Run;
  input: Input | Advance;
  moment: Moment;
  /** Of the first step of a top-level run: what it began as. */
  beginning: Beginning | null;
  outcome: string;
}

interface Beginning {
  /** Its events and its delegates' runs', as the log had them. */
  log: SessionEvent[];
  identity: ConstructorParameters<typeof RunState>[0];
}

/**
 * Records every step of an engine, and takes all of them again with new runs: the same inputs make the same events and ask
 * for the same effects. What a step had of a clock, of chance or of anybody else would show.
 */
export class Recorder {
  readonly #logOf: (runId: string) => SessionEvent[];
  readonly #steps: RecordedStep[] = [];
  readonly #known = new WeakSet<Run>();

  /** `logOf` gives the events of a run and of its delegates' runs. */
  constructor(logOf: (runId: string) => SessionEvent[]) {
    this.#logOf = logOf;
  }

  readonly step: typeof step = (run, input, moment) => {
    const isFirst = run.parent === null && !this.#known.has(run);
    const { id, conversation_id, parent_run_id, agent_id } = run.state;
    const identity = { id, conversation_id, parent_run_id, agent_id };
    const beginning = isFirst ? { log: this.#logOf(run.id), identity } : null;
    this.#known.add(run);
    // Fails for what is no data.
    const recorded = { run, input: structuredClone(input), moment, beginning, outcome: "" };
    this.#steps.push(recorded);
    try {
      const stepped = step(run, input, moment);
      recorded.outcome = outcomeOf(stepped);
      return stepped;
    } catch (error) {
      recorded.outcome = String(error);
      throw error;
    }
  };

  /** Takes all steps again, and forgets them. */
  replay(): void {
    const again = new Map<Run, Run>();
    for (const { run, input, moment, beginning, outcome } of this.#steps.splice(0)) {
      const replica = again.get(run) ?? replicaOf(run, beginning, moment, again);
      again.set(run, replica);
      expect(takeAgain(replica, input, moment), `${input.kind} of ${run.id}`).toBe(outcome);
    }
  }
}

function takeAgain(run: Run, input: Input | Advance, moment: Moment): string {
  try {
    return outcomeOf(step(run, input, moment));
  } catch (error) {
    return String(error);
  }
}

/** The same run as it was before its first step. */
function replicaOf(run: Run, beginning: Beginning | null, { at }: Moment, again: ReadonlyMap<Run, Run>): Run {
  if (run.parent !== null || beginning === null) {
    const parent = run.parent && again.get(run.parent.run);
    const own = [...(parent?.runs() ?? [])].find(({ id }) => id === run.id);
    if (!own) throw new Error(`The replay has not opened the run ${run.id}`);
    return own;
  }
  const { env, id } = run;
  const { log, identity } = beginning;
  if (log.length === 0) {
    const state = new RunState(identity, new BudgetUse(), new RunMemory());
    return new Run(newTree(env, null), state, run.toolset, null);
  }
  const reader = new TreeReader();
  for (const event of log) reader.take(event);
  const found = reader.end(at);
  const state = found.runs.get(id);
  if (!state) throw new Error(`The log has nothing of the run ${id}`);
  return new Run(newTree(env, found), state, run.toolset, null);
}

/** What a step brought about, as text that can be compared. */
function outcomeOf({ events, effects, immediate }: Stepped): string {
  return JSON.stringify([events, effects.map(described), immediate.map(described)]);
}

function described(effect: Effect | ImmediateEffect) {
  const { kind } = effect;
  const ticket = "ticket" in effect ? effect.ticket : null;
  const run = "run" in effect ? effect.run.id : null;
  const call = "call" in effect ? effect.call.call_id : null;
  const params = "params" in effect ? effect.params : null;
  const input = "input" in effect ? effect.input : null;
  return { kind, ticket, run, call, params, input };
}
