import { describe, expect, it } from "vitest";
import { PLAN, recorded, said } from "@/components/studio/testing/recorded.ts";
import { nowLines } from "./now.ts";

const ask = { confirmation_id: "k", key: "k", action: { method: "deal.update", params: {} } };

describe("C3: the status lines above the thread", () => {
  it("count pending, running and completed calls of the newest run", () => {
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

  it("P22, P24: name a cancelled run, and a simulated one", () => {
    expect(nowLines(recorded(["run.started", {}], ["run.cancelled", { reason: "no longer needed" }]), "")).toEqual([
      { kind: "cancelled", reason: "no longer needed" },
    ]);
    expect(nowLines(recorded(["run.started", {}], ["run.finished", { reason: "shadow" }]), "")).toEqual([
      { kind: "shadow" },
    ]);
  });

  it("C3: a message without a run is not counted as answered", () => {
    const session = recorded(["run.started", {}], ["run.finished", {}], said("q", "user", "Well?", { run_id: null }));
    expect(nowLines(session, "")).toEqual([{ kind: "noAnswer" }]);
  });

  it("E9: a run closed by a fork is not cancelled, and the fork has not run", () => {
    const session = recorded(
      ["run.started", {}],
      ["call.started", { call_id: "get", tool: "deal.get" }],
      ["call.succeeded", { call_id: "get", tool: "deal.get" }],
      ["conversation.created", { forked_from: { conversation_id: "s", seq: 3 } }],
      ["run.cancelled", { reason: "Forked" }],
    );
    expect(nowLines(session, "").map(({ kind }) => kind)).toEqual(["notRun", "done"]);
  });

  it("E9: in a simulated run, planned calls are not done", () => {
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

  it("E9: the run with a fork's edits has answered nothing", () => {
    const forked_from = { conversation_id: "s", seq: 0 };
    const session = recorded(
      ["conversation.created", { forked_from }],
      ["run.started", { reason: "Forked" }, { run_id: "c:run:draft" }],
      ["run.finished", { reason: "Forked" }, { run_id: "c:run:draft" }],
    );
    expect(nowLines(session, "")).toEqual([{ kind: "notRun" }]);
  });

  it("show a delegate's progress", () => {
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

  it("name a failed call and its error; a handled failure does not count", () => {
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

  it("P19: a failure before a new plan is shown as its cause", () => {
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

  it("P19: a failure without a new plan stays a failure", () => {
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

  it("M11: a queued turn is shown beside the running one", () => {
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

  it("show an alert first", () => {
    const session = recorded(
      ["run.started", {}],
      ["manager.alerted", { text: "The customer is angry" }],
      ["run.finished", {}],
    );
    expect(nowLines(session, "")[0]).toEqual({ kind: "escalated", text: "The customer is angry" });
  });

  it("D11: show a takeover first, whatever alerts there were", () => {
    const session = recorded(
      ["manager.alerted", { text: "The customer is angry" }],
      ["conversation.handed_back", {}],
      ["conversation.taken_over", {}, { actor: "operator:anna" }],
    );
    expect(nowLines(session, "")[0]).toEqual({ kind: "takenOver", by: "anna" });
  });

  it("have a line even when nothing happened", () => {
    expect(nowLines(recorded(), "")).toEqual([{ kind: "nothing" }]);
    expect(nowLines(recorded(["run.started", {}], ["run.finished", {}]), "")).toEqual([{ kind: "answered" }]);
  });
});
