import { describe, expect, test } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { choosePlan } from "@/lib/session/runs/choose-plan.ts";
import type { Session } from "@/lib/session/session.ts";
import { createLevelReader } from "./level-reader.ts";
import { readLevel } from "./plan-level.ts";

function sessionOf(...told: [type: string, run: string, payload: JsonObject, parent?: string][]): Session {
  const events = told.map(
    ([type, run_id, payload, parent], index): SessionEvent => ({
      id: `e${index}`,
      conversation_id: "c",
      seq: index + 1,
      position: index + 1,
      type,
      actor: null,
      agent_id: null,
      run_id,
      parent_run_id: parent ?? null,
      caused_by: null,
      payload,
      occurred_at: null,
      recorded_at: "2026-01-01T00:00:00.000Z",
    }),
  );
  return fold(emptySession("c"), events);
}

const CALLS: JsonObject[] = [
  { _tool: "get", _id: "get", _outputPath: "†state.x" },
  { _tool: "sum", _id: "sum", _delegate: "sum", x: "†state.x", _outputPath: "†state.y" },
];
const PROPOSED: [string, string, JsonObject] = ["plan.proposed", "run", { iteration: 1, calls: CALLS }];
const NONE = new Set<string>();

function read(session: Session, instance = "") {
  const plan = choosePlan(session, null, null);
  if (!plan) throw new Error("The session has no plan");
  return readLevel(plan, { session, instance, toggled: NONE });
}

describe("the level of a plan", () => {
  test("C4: has a proposed plan's calls, and those that were not proposed", () => {
    const session = sessionOf(["run.started", "run", {}], PROPOSED, [
      "call.started",
      "run",
      { call_id: "extra", tool: "log", iteration: 1 },
    ]);
    expect(read(session).nodes.map(({ call, wave }) => [call.id, wave])).toEqual([
      ["get", 0],
      ["sum", 1],
      ["extra", 0],
    ]);
  });

  test("C4: has recorded calls of all iterations, including repeated ids", () => {
    const call = (iteration: number): [string, string, JsonObject] => [
      "call.started",
      "run",
      { call_id: "a", tool: "t", iteration },
    ];
    const level = read(sessionOf(["run.started", "run", {}], call(1), call(2), call(3)));
    expect(level.recorded).toBe(true);
    expect(level.nodes.map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
    expect(new Set(level.nodes.map(({ id }) => id)).size).toBe(3);
  });

  test("P27: has a delegate's calls in its frame", () => {
    const session = sessionOf(
      ["run.started", "run", {}],
      PROPOSED,
      ["call.started", "run", { call_id: "sum", tool: "sum", iteration: 1 }],
      ["run.started", "child", { call_id: "sum", delegate: "sum" }, "run"],
      ["plan.proposed", "child", { iteration: 1, calls: [{ _tool: "list", _id: "list" }] }, "run"],
    );
    const level = read(session);
    const sum = level.nodes.find(({ call }) => call.id === "sum");
    expect(sum?.open).toBe(true);
    expect(sum?.frame?.nodes.map(({ call }) => call.tool)).toEqual(["list"]);
    expect(level.size).toBe(3);
  });

  test("P25: has an instance's calls and those without an instance", () => {
    const calls: JsonObject[] = [...CALLS, { _tool: "only", _id: "only", _instance: "②" }];
    const session = sessionOf(["run.started", "run", {}], ["plan.proposed", "run", { iteration: 1, calls }]);
    expect(read(session, "①").nodes.map(({ call }) => call.id)).toEqual(["get", "sum"]);
    expect(read(session, "②").nodes.map(({ call }) => call.id)).toEqual(["get", "sum", "only"]);
  });

  test("C4: does not change with statuses, but with a new call", () => {
    const reader = createLevelReader();
    const told: Parameters<typeof sessionOf> = [["run.started", "run", {}], PROPOSED];
    const before = sessionOf(...told);
    const plan = choosePlan(before, null, null);
    if (!plan) throw new Error("The session has no plan");
    const first = reader(before, plan, "", NONE);
    const started = {
      ...before,
      calls: new Map([...before.calls].map(([key, call]) => [key, { ...call, status: "running" as const }])),
    };
    expect(reader(started, choosePlan(started, null, null) ?? plan, "", NONE)).toBe(first);
    const more = sessionOf(...told, ["call.started", "run", { call_id: "extra", tool: "log", iteration: 1 }]);
    expect(reader(more, choosePlan(more, null, null) ?? plan, "", NONE).key).not.toBe(first.key);
  });
});
