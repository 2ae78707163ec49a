import { type Change, diffValues } from "../json/diff.ts";
import type { Json } from "../json/json.ts";
import type { Run } from "../session.ts";
import { alignTurns, type TurnPair, turnsOf } from "./runs.ts";
import { type Compared, comparable, type Sides, sharedSteps } from "./sides.ts";

/** The differences of two states, and the number of equal values. */
export interface StateComparison extends Sides<Run> {
  changes: Change[];
  /** Primitive values that are equal on both sides. */
  same: number;
}

/**
 * Compares the states of the newest turns of two sessions, by instance and path (C10). With a fork, of the last
 * continued turn that both have.
 */
export function compareStates(a: Compared, b: Compared): StateComparison {
  const both = sharedSteps(a, b) > 0 ? alignTurns(a, b).filter((turn) => turn.a !== null && turn.b !== null) : [];
  const began = (turn: TurnPair) => Math.max(turn.a?.started_seq ?? 0, turn.b?.started_seq ?? 0);
  const shared = both.toSorted((one, two) => began(one) - began(two)).at(-1);
  const [runA, runB] = [shared?.a ?? turnsOf(a).at(-1) ?? null, shared?.b ?? turnsOf(b).at(-1) ?? null];
  const [before, after] = [stateOf(runA), stateOf(runB)];
  const changes = diffValues(before, after);
  const lost = changes.reduce((count, change) => count + leaves(change.before), 0);
  return { a: runA, b: runB, changes, same: leaves(before) - lost };
}

/** Compares the memories of two sessions by path (C10). */
export function compareMemories(a: Compared, b: Compared): Change[] {
  return diffValues(comparable(a.memory) ?? undefined, comparable(b.memory) ?? undefined);
}

/** A run's state; if there are instances, all of them by name. */
function stateOf(run: Run | null): Json {
  if (!run) return {};
  const names = Object.keys(run.state);
  const only = names.length === 1 && names[0] === "" ? run.state[""] : run.state;
  return comparable(only) ?? {};
}

function leaves(value: Json | undefined): number {
  if (value === undefined) return 0;
  if (typeof value !== "object" || value === null) return 1;
  const entries = Object.values(value);
  return entries.length === 0 ? 1 : entries.reduce<number>((count, entry) => count + leaves(entry), 0);
}
