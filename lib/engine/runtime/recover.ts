import { setImmediate as turn } from "node:timers/promises";
import { inParts } from "../../event-loop/yielding.ts";
import { newTree, Run } from "../step/run.ts";
import { type FoundTree, TreeReader } from "../step/state/found-tree.ts";
import type { Termination } from "../step/state/in-flight.ts";
import type { RunState } from "../step/state/run-state.ts";
import { answeredBy, Toolset } from "../tools/toolset.ts";
import type { EngineContext } from "./engine-context.ts";
import type { Owner, Runner } from "./runner.ts";

/** Events applied before yielding to other requests, about 5 ms. */
const EVENTS_AT_ONCE = 1_000;

/** Reads a top-level run and its delegates' runs from the log. */
export async function loadTree(engine: EngineContext, rootId: string): Promise<FoundTree> {
  const reader = new TreeReader();
  let taken = 0;
  for (const event of await engine.ports.journal.read(rootId)) {
    const state = reader.take(event);
    if (state?.isReading) await inParts(state.readPlan());
    taken += 1;
    if (taken % EVENTS_AT_ONCE === 0) await turn();
  }
  return reader.end(engine.ports.clock.now());
}

/** `termination`: it is taken up only to be ended. */
interface TakeUp {
  manager: string | null;
  owner?: Owner;
  termination?: Termination | null;
}

/**
 * Recovers a run from the log (P23), with its delegates' runs that have not ended. `manager`: who has taken over the
 * conversation; null if nobody has.
 */
export function takeUpTree(
  engine: EngineContext,
  found: FoundTree,
  rootId: string,
  { manager, owner, termination = null }: TakeUp,
): Runner {
  const state = found.runs.get(rootId);
  if (!state) throw new Error(`The log has nothing of the run ${rootId}`);
  const { tools, delegates } = engine.ports;
  const all = Toolset.of(tools, delegates, state.settings.tools, answeredBy(state.settings));
  const runner = engine.open(new Run(newTree(engine.env, found), state, all, null), null);
  // First, so that nothing of it continues.
  if (termination) runner.post({ kind: "terminate", termination });
  runner.owner = owner ? { ...owner, known: found.position } : null;
  // What is missing of a memory is loaded when the run goes on.
  const isNew = owner?.hold.fence === 1 && !lacksMemory(engine, state);
  runner.post(() => ({ kind: "recovered", turn: runner.enterAgain(), manager, isNew }));
  return runner;
}

function lacksMemory({ ports }: EngineContext, { settings, memory }: RunState): boolean {
  return ports.memory !== null && settings.user_scope !== null && memory.document === null;
}
