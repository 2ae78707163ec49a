import { describe, expect, it } from "vitest";
import { resolveSelection } from "@/components/selection/resolve-selection.ts";
import { PLAN, recorded, type Step } from "@/components/studio/testing/recorded.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { Session } from "@/lib/session/session.ts";
import { absentPaths, earlierValue, parseSelectedPath, readersOf, writerAt, writersOf } from "./state-paths.ts";

const looked = (session: Session) => resolveSelection(session, { run: null, iteration: null, instance: null });
const written = (path: string, value: Json, call_id: string): Step => ["state.written", { path, value, call_id }];
const deal = { id: 7, amount: 100 };

const got: Step[] = [
  ["run.started", {}],
  ["plan.proposed", { iteration: 1, calls: PLAN }],
  ["call.started", { call_id: "get", tool: "deal.get" }],
  ["call.succeeded", { call_id: "get", tool: "deal.get" }],
  written("†state.deal", deal, "get"),
];

function stateOf(session: Session) {
  return looked(session).run?.state[""] ?? {};
}

describe("C6: writers and readers of a state path", () => {
  const session = recorded(...got, ["call.started", { call_id: "check", tool: "policy.check" }]);

  it("returns the call that wrote a path, or a path above it", () => {
    const run = looked(session).run;
    const writers = run ? writersOf(session, run, "") : new Map();
    expect(writerAt(writers, ["deal", "amount"])).toMatchObject({ call: { tool: "deal.get" }, write: { seq: 5 } });
    expect(writerAt(writers, ["nobody"])).toBeNull();
  });

  it("lists every reader, with its path if it is another", () => {
    const readers = readersOf(session, looked(session), { kind: "state", path: ["deal", "amount"] });
    expect(readers.map(({ id, as, call }) => [id, as, call?.started_seq ?? null])).toEqual([
      ["check", null, 6],
      ["sum", "†state.deal", null],
    ]);
  });

  it("lists each path without a value with its expected writer", () => {
    expect(absentPaths(session, looked(session), stateOf(session)).map(({ id, why, tool }) => [id, why, tool])).toEqual(
      [
        [".allowed", "running", "policy.check"],
        [".refused", "running", "policy.check"],
        [".summary", "planned", "deal.summarize"],
      ],
    );
  });

  it("P10: after a handled failure only the other alternative is missing", () => {
    const handled = recorded(
      ...got,
      ["call.started", { call_id: "check", tool: "policy.check" }],
      ["call.failed", { call_id: "check", tool: "policy.check", handled: true, error: { code: "E", message: "no" } }],
      written("†state.refused", { code: "E" }, "check"),
    );
    const absent = absentPaths(handled, looked(handled), stateOf(handled));
    expect(absent.find(({ id }) => id === ".allowed")).toMatchObject({ why: "other_branch" });
    expect(absent.some(({ id }) => id === ".refused")).toBe(false);
  });

  it("or why it will not be written: a branch that was not taken, or a failed call", () => {
    const over = recorded(
      ...got,
      ["call.started", { call_id: "check", tool: "policy.check" }],
      ["call.succeeded", { call_id: "check", tool: "policy.check", branch: 0 }],
      written("†state.allowed", 1, "check"),
      ["call.started", { call_id: "sum", tool: "deal.summarize" }],
      ["call.failed", { call_id: "sum", tool: "deal.summarize", error: { code: "E", message: "no" } }],
    );
    expect(absentPaths(over, looked(over), stateOf(over)).map(({ id, why }) => [id, why])).toEqual([
      [".summary", "failed"],
      [".refused", "other_branch"],
    ]);
  });

  it("E9, M13: or that its writer, or an input of its writer, is only planned", () => {
    const reason = "It needs †state.allowed, which check has only planned";
    const left = recorded(
      ...got,
      ["call.skipped", { call_id: "check", tool: "policy.check", planned: true, reason: "Simulated" }],
      ["call.skipped", { call_id: "sum", tool: "deal.summarize", reason }],
    );
    expect(new Set(absentPaths(left, looked(left), stateOf(left)).map(({ why }) => why))).toEqual(
      new Set(["planned_only"]),
    );
  });

  it("returns an earlier run's value at the same path", () => {
    const later = recorded(
      ...got,
      ["run.finished", {}],
      ["run.started", {}, { run_id: "two" }],
      ["plan.proposed", { iteration: 1, calls: PLAN }, { run_id: "two" }],
    );
    expect(earlierValue(later, looked(later), ["deal", "amount"])).toEqual({ value: 100, number: 1 });
    expect(earlierValue(later, looked(later), ["nobody"])).toBeNull();
  });

  it("ignores an invalid path in the address", () => {
    expect(parseSelectedPath("†state.deal.amount")).toEqual({ kind: "state", path: ["deal", "amount"] });
    expect(parseSelectedPath("state.deal")).toBeNull();
    expect(parseSelectedPath(null)).toBeNull();
  });
});
