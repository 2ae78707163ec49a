import { setImmediate as turn } from "node:timers/promises";
import { inParts } from "../../event-loop/yielding.ts";
import { UnreadableMemory } from "../memory.ts";
import { Toolset } from "../tools/toolset.ts";
import { BudgetUse } from "./budget.ts";
import type { EngineContext } from "./engine-context.ts";
import { type FoundTree, newTree, Run } from "./run.ts";
import { isRunEvent } from "./run-event.ts";
import { RunMemory } from "./run-memory.ts";
import { RunState } from "./run-state.ts";
import type { Runner } from "./runner.ts";

/** Events that are taken in before everybody else has a turn, about 5 ms. */
const EVENTS_AT_ONCE = 1_000;

/** Reads a top-level run and its delegates' runs from the log. */
export async function loadTree(engine: EngineContext, rootId: string): Promise<FoundTree> {
  const runs = new Map<string, RunState>();
  const use = new BudgetUse();
  const memory = new RunMemory();
  let applied = 0;
  for (const event of await engine.ports.journal.read(rootId)) {
    const { run_id: id, conversation_id, parent_run_id, agent_id } = event;
    if (id === null || conversation_id === null || !isRunEvent(event)) continue;
    const state = runs.get(id) ?? new RunState({ id, conversation_id, parent_run_id, agent_id }, use, memory);
    runs.set(id, state);
    state.apply(event);
    if (state.isReading) await inParts(state.readPlan());
    applied += 1;
    if (applied % EVENTS_AT_ONCE === 0) await turn();
  }
  // What was told in one transaction with the memory is in it; but for an end that the memory itself brought about.
  for (const state of runs.values()) if (state.error?.code !== UnreadableMemory.code) state.notes_to_keep = [];
  // Without a process no time was used.
  use.skipTo(engine.ports.clock.now());
  const begun = [...runs.values()].flatMap((state): [string, RunState][] =>
    state.started_by === null ? [] : [[state.started_by, state]],
  );
  return { runs, byStart: new Map(begun) };
}

/**
 * Takes a run up where the log leaves it (P23), and with it its delegates' runs that have not ended. `manager` has taken the
 * conversation over, null where nobody has.
 */
export function takeUpTree(engine: EngineContext, found: FoundTree, rootId: string, manager: string | null): Runner {
  const state = found.runs.get(rootId);
  if (!state) throw new Error(`The log has nothing of the run ${rootId}`);
  const { tools, delegates } = engine.ports;
  const all = Toolset.of(tools, delegates, state.settings.tools);
  const runner = engine.open(new Run(newTree(engine.env, found), state, all, null), null);
  runner.post(() => ({ kind: "recovered", turn: runner.enterAgain(), manager }));
  return runner;
}
