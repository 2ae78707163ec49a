import { describe, expect, it } from "vitest";
import { PLAN, recorded, said } from "@/components/studio/testing/recorded.ts";
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
      { kind: "done", done: 1, total: 3, retried: 1, skipped: 0 },
    ]);
  });

  it("P22, P24: tells a run that was cancelled, and one that was only played in the mind", () => {
    expect(nowLines(recorded(["run.started", {}], ["run.cancelled", { reason: "no longer needed" }]), "")).toEqual([
      { kind: "cancelled", reason: "no longer needed" },
    ]);
    expect(nowLines(recorded(["run.started", {}], ["run.finished", { reason: "shadow" }]), "")).toEqual([
      { kind: "shadow" },
    ]);
  });

  it("C3: a message that nothing came of is not taken for answered by the run before", () => {
    const session = recorded(["run.started", {}], ["run.finished", {}], said("q", "user", "Well?", { run_id: null }));
    expect(nowLines(session, "")).toEqual([{ kind: "noAnswer" }]);
  });

  it("E9: a run that a fork closed was not cancelled by anybody, and the fork has not run", () => {
    const session = recorded(
      ["run.started", {}],
      ["call.started", { call_id: "get", tool: "deal.get" }],
      ["call.succeeded", { call_id: "get", tool: "deal.get" }],
      ["conversation.created", { forked_from: { conversation_id: "s", seq: 3 } }],
      ["run.cancelled", { reason: "Forked" }],
    );
    expect(nowLines(session, "").map(({ kind }) => kind)).toEqual(["notRun", "done"]);
  });

  it("E9: of a run that only simulates, what stayed planned is not done", () => {
    const session = recorded(
      ["conversation.created", { forked_from: { conversation_id: "s", seq: 0 } }],
      ["run.started", { simulated: true }],
      ["call.started", { call_id: "a", tool: "deal.get" }],
      ["call.succeeded", { call_id: "a", tool: "deal.get", recorded: { conversation_id: "s", seq: 3 } }],
      ["call.skipped", { call_id: "b", tool: "deal.update", planned: true, reason: "Simulated" }],
      ["run.finished", {}],
    );
    expect(nowLines(session, "")).toEqual([{ kind: "simulated", done: 1, total: 2, planned: 1 }]);
  });

  it("E9: the run that holds a fork's edits has answered nothing", () => {
    const forked_from = { conversation_id: "s", seq: 0 };
    const session = recorded(
      ["conversation.created", { forked_from }],
      ["run.started", { reason: "Forked" }, { run_id: "c:run:draft" }],
      ["run.finished", { reason: "Forked" }, { run_id: "c:run:draft" }],
    );
    expect(nowLines(session, "")).toEqual([{ kind: "notRun" }]);
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

  it("P19: a failure that a newer plan took up is told as what led to it", () => {
    const error = { code: "E", message: "the card is closed" };
    const replanned = [
      ["run.started", {}],
      ["plan.proposed", { iteration: 1, calls: [{ _tool: "pay", _id: "a" }] }],
      ["call.started", { call_id: "a", iteration: 1, tool: "pay" }],
      ["call.failed", { call_id: "a", iteration: 1, tool: "pay", error }],
      ["run.iteration", { iteration: 2 }],
      ["plan.proposed", { iteration: 2, calls: [{ _tool: "credit", _id: "b" }] }],
    ] satisfies Parameters<typeof recorded>;
    const line = { what: "pay", reason: "the card is closed", more: 0 };
    expect(nowLines(recorded(...replanned), "")).toContainEqual({ kind: "replanned", ...line });
    const failed = recorded(...replanned, ["run.failed", { error: { code: "E", message: "given up" } }]);
    expect(nowLines(failed, "")).toContainEqual({ kind: "failed", ...line });
  });

  it("P19: a failure that the agent answered without another plan stays one", () => {
    const session = recorded(
      ["run.started", {}],
      ["run.iteration", { iteration: 1 }],
      ["call.started", { call_id: "a", iteration: 1, tool: "deal.get" }],
      ["call.failed", { call_id: "a", iteration: 1, tool: "deal.get", error: { code: "E", message: "Not found" } }],
      ["run.iteration", { iteration: 2 }],
      ["plan.proposed", { iteration: 2, calls: [] }],
      ["run.finished", {}],
    );
    expect(nowLines(session, "")[0]).toEqual({ kind: "failed", what: "deal.get", reason: "Not found", more: 0 });
  });

  it("M11: a turn that waits for an earlier one is told beside what that one does, not in its place", () => {
    const session = recorded(
      ["run.started", {}],
      ["call.started", { call_id: "get", tool: "deal.get" }],
      ["run.started", { queued: true }, { run_id: "two" }],
      ["run.started", { queued: true }, { run_id: "three" }],
    );
    expect(nowLines(session, "")).toMatchObject([
      { kind: "running", what: "deal.get" },
      { kind: "queued", count: 2 },
      { kind: "done", done: 0, total: 1 },
    ]);
    expect(nowLines(recorded(["run.started", { queued: true }]), "")).toEqual([{ kind: "queued", count: 1 }]);
  });

  it("says first that a manager has it", () => {
    const session = recorded(
      ["run.started", {}],
      ["manager.alerted", { text: "The customer is angry" }],
      ["run.finished", {}],
    );
    expect(nowLines(session, "")[0]).toEqual({ kind: "escalated", text: "The customer is angry" });
  });

  it("D11: says first who has taken it over, whatever they were called for before", () => {
    const session = recorded(
      ["manager.alerted", { text: "The customer is angry" }],
      ["conversation.handed_back", {}],
      ["conversation.taken_over", {}, { actor: "operator:anna" }],
    );
    expect(nowLines(session, "")[0]).toEqual({ kind: "takenOver", by: "anna" });
  });

  it("has a line also where nothing happened", () => {
    expect(nowLines(recorded(), "")).toEqual([{ kind: "nothing" }]);
    expect(nowLines(recorded(["run.started", {}], ["run.finished", {}]), "")).toEqual([{ kind: "answered" }]);
  });
});
