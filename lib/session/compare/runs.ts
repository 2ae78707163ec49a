import type { Run } from "../session.ts";
import type { Compared, Sides } from "./sides.ts";

/**
 * What each run of a session is called in a comparison: the first turn is `1` whatever its id; a delegate's run is
 * called after the call that it carries out, the n-th of the same.
 */
export function runNames({ runs, runs_before }: Compared): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  let turn = runs_before;
  for (const run of runs.values()) {
    const parent = run.parent_run_id === null ? undefined : names.get(run.parent_run_id);
    if (run.id === "") names.set("", "");
    else if (parent === undefined) names.set(run.id, String(++turn));
    else {
      const stem = JSON.stringify([parent, run.delegate, run.parent_call_id, run.parent_instance]);
      const count = (counts.get(stem) ?? 0) + 1;
      counts.set(stem, count);
      names.set(run.id, JSON.stringify([stem, count]));
    }
  }
  return names;
}

/** The turns of two sessions side by side, the first with the first. Delegates' runs belong to their turns. */
export function alignTurns(a: Compared, b: Compared): Sides<Run>[] {
  const [ofA, ofB] = [turnsOf(a), turnsOf(b)];
  const from = Math.min(a.runs_before, b.runs_before);
  const to = Math.max(a.runs_before + ofA.length, b.runs_before + ofB.length);
  return Array.from({ length: to - from }, (_, index) => ({
    a: ofA[from + index - a.runs_before] ?? null,
    b: ofB[from + index - b.runs_before] ?? null,
  }));
}

/** The runs that no other run started; events without a run are none, unless there is nothing else. */
export function turnsOf({ runs }: Compared): Run[] {
  const turns = [...runs.values()].filter((run) => run.parent_run_id === null);
  const named = turns.filter(({ id }) => id !== "");
  return named.length > 0 ? named : turns;
}
