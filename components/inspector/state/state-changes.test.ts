import { describe, expect, it } from "vitest";
import { resolveSelection } from "@/components/selection/resolve-selection.ts";
import { recorded, type Step } from "@/components/studio/testing/recorded.ts";
import { changedPaths, stateChanges } from "./state-changes.ts";

const nothing = { run: null, iteration: null, instance: null };

/** The changes of the last of some steps. */
function lastChanges(...steps: Step[]) {
  const session = recorded(...steps);
  const changes = stateChanges(recorded(...steps.slice(0, -1)), session, resolveSelection(session, nothing));
  return changes.map(({ path, kind, before, after, run }) => ({ path: path.join("."), kind, before, after, run }));
}

const started = (run_id: string): Step => ["run.started", {}, { run_id }];
const wrote = (run_id: string, path: string, value: { [key: string]: number } | number, instance?: string): Step => [
  "state.written",
  { path, value, ...(instance ? { instance } : {}) },
  { run_id },
];

describe("C6: what a step changed in the state", () => {
  it("lists each new value", () => {
    expect(lastChanges(started("one"), wrote("one", "†state.task", { id: 1, days: 2 }))).toEqual([
      { path: "task.id", kind: "add", before: undefined, after: 1, run: null },
      { path: "task.days", kind: "add", before: undefined, after: 2, run: null },
    ]);
  });

  it("has the old value of an earlier run at the same path, and that run", () => {
    expect(
      lastChanges(
        started("one"),
        wrote("one", "†state.task", { id: 1, days: 2 }),
        ["run.finished", {}, { run_id: "one" }],
        started("two"),
        wrote("two", "†state.task", { id: 1, days: 3, hours: 4 }),
      ),
    ).toEqual([
      { path: "task.id", kind: "add", before: undefined, after: 1, run: null },
      { path: "task.days", kind: "change", before: 2, after: 3, run: 1 },
      { path: "task.hours", kind: "add", before: undefined, after: 4, run: null },
    ]);
  });

  it("is empty when the step wrote for another instance, or nothing", () => {
    const first: Step[] = [started("one"), wrote("one", "†state.a", 1, "①")];
    expect(lastChanges(...first, wrote("one", "†state.a", 1, "②"))).toEqual([]);
    expect(lastChanges(...first, ["log", {}])).toEqual([]);
  });

  it("marks only paths that have a value", () => {
    const change = { before: 1, run: null };
    const marked = changedPaths(
      [
        { ...change, path: ["a"], kind: "change", after: 2 },
        { ...change, path: ["gone"], kind: "remove", after: undefined },
      ],
      { a: 2 },
    );
    expect(marked).toEqual([{ path: ["a"], kind: "change" }]);
  });
});
