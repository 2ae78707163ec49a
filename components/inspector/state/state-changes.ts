import type { ResolvedSelection } from "@/components/selection/resolve-selection.ts";
import { type Path, valueAt } from "@/lib/plan/reference.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { diffValues } from "@/lib/session/json/diff.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import type { Session } from "@/lib/session/session.ts";
import { earlierValue } from "./state-paths.ts";

/** A value that a step changed. */
export interface StateChange {
  path: Path;
  kind: "add" | "change" | "remove";
  before: Json | undefined;
  after: Json | undefined;
  /** The number of the run with the old value; null for this run. */
  run: number | null;
}

/**
 * The changes of the current step in the current run and instance. State is written once per run, so the old value can
 * be an earlier run's.
 */
export function stateChanges(before: Session, session: Session, looked: ResolvedSelection): StateChange[] {
  const id = looked.run?.id ?? "";
  const old = before.runs.get(id)?.state[looked.instance];
  const now = session.runs.get(id)?.state[looked.instance];
  return diffValues(old, now)
    .flatMap((change) =>
      change.kind === "add" ? leavesOf(change.path, change.after ?? null) : [{ ...change, run: null }],
    )
    .map((change) => (change.kind === "add" ? sinceEarlierRun(session, looked, change) : change));
}

/** The change of each row by path: a collection is changed when anything in it is. */
export function changedPaths(changes: readonly StateChange[], state: Json): { path: Path; kind: "add" | "change" }[] {
  return changes
    .filter(({ kind, path }) => kind !== "remove" && valueAt(state, path) !== undefined)
    .map(({ path, kind }) => ({ path, kind: kind === "add" ? "add" : "change" }));
}

function leavesOf(path: Path, value: Json): StateChange[] {
  const isCollection = (Array.isArray(value) || isJsonObject(value)) && !isRef(value);
  const entries: [string | number, Json][] = !isCollection
    ? []
    : Array.isArray(value)
      ? value.map((entry, index) => [index, entry])
      : Object.entries(value);
  if (entries.length === 0) return [{ path, kind: "add", before: undefined, after: value, run: null }];
  return entries.flatMap(([key, entry]) => leavesOf([...path, key], entry));
}

function sinceEarlierRun(session: Session, looked: ResolvedSelection, change: StateChange): StateChange {
  const earlier = earlierValue(session, looked, change.path);
  if (!earlier || JSON.stringify(earlier.value) === JSON.stringify(change.after)) return change;
  return { ...change, kind: "change", before: earlier.value, run: earlier.number };
}
