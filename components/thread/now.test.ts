import { describe, expect, it } from "vitest";
import { PLAN, recorded } from "@/components/studio/testing/recorded.ts";
import { nowLines } from "./now.ts";

const ask = { confirmation_id: "k", key: "k", action: { method: "deal.update", params: {} } };

describe("C3: the lines over the thread say what is going on", () => {
  it("counts what waits, runs and is done in the newest run", () => {
    const session = recorded(
      ["run.started", {}],
      ["plan.proposed", { iteration: 1, calls: PLAN }],
      ["call.started", { call_id: "get", tool: "deal.get" }],
      ["call.retried", { call_id: "get", tool: "deal.get", attempt: 1 }],
      ["call.succeeded", { call_id: "get", tool: "deal.get" }],
      ["call.started", { call_id: "sum", tool: "deal.summarize" }],
      ["confirmation.requested", { ...ask, description: "Raise the amount" }],
      ["confirmation.requested", { ...ask, confirmation_id: "l", key: "l" }],
    );
    expect(nowLines(session, "")).toEqual([
      { kind: "waits", what: "Raise the amount", more: 1 },
      { kind: "running", what: "deal.summarize", more: 0, progress: null },
      { kind: "done", done: 1, total: 3, retried: 1 },
    ]);
  });

  it("tells how far a delegate is", () => {
    const child = { run_id: "child", parent_run_id: "run" };
    const session = recorded(
      ["run.started", {}],
      ["call.started", { call_id: "sum", tool: "summarize" }],
      ["run.started", { call_id: "sum", delegate: "summarize" }, child],
      ["plan.proposed", { iteration: 1, calls: PLAN }, child],
      ["call.started", { call_id: "get", tool: "deal.get" }, child],
      ["call.succeeded", { call_id: "get", tool: "deal.get" }, child],
    );
    expect(nowLines(session, "")[0]).toMatchObject({
      kind: "running",
      what: "summarize",
      progress: { done: 1, total: 3 },
    });
  });

  it("names a failed call and why; one that the plan took up is no failure", () => {
    const error = { code: "E", message: "out of money" };
    const failed = recorded(
      ["run.started", {}],
      ["call.started", { call_id: "a", tool: "pay" }],
      ["call.failed", { call_id: "a", tool: "pay", error }],
    );
    expect(nowLines(failed, "")).toContainEqual({ kind: "failed", what: "pay", reason: "out of money", more: 0 });
    const handled = recorded(
      ["run.started", {}],
      ["call.started", { call_id: "a", tool: "pay" }],
      ["call.failed", { call_id: "a", tool: "pay", error, handled: true }],
    );
    expect(nowLines(handled, "").map(({ kind }) => kind)).not.toContain("failed");
  });

  it("says first that a manager has it", () => {
    const session = recorded(
      ["run.started", {}],
      ["manager.alerted", { text: "The customer is angry" }],
      ["run.finished", {}],
    );
    expect(nowLines(session, "")[0]).toEqual({ kind: "escalated", text: "The customer is angry" });
  });

  it("has a line also where nothing happened", () => {
    expect(nowLines(recorded(), "")).toEqual([{ kind: "nothing" }]);
    expect(nowLines(recorded(["run.started", {}], ["run.finished", {}]), "")).toEqual([{ kind: "answered" }]);
  });
});
