import { describe, expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import type { JsonObject } from "./json/json.ts";
import { emptySession, fold } from "./reducer/reducer.ts";
import type { View } from "./session.ts";
import { session } from "./testing/events.ts";
import { toView } from "./view.ts";

function viewOf(...steps: Parameters<typeof session>): View {
  const events = session(...steps);
  return toView(fold(emptySession("c"), events), events.length);
}

const inRun = (run_id: string, parent_run_id: string | null = null): Partial<SessionEvent> => ({
  run_id,
  parent_run_id,
});

it("E6: the state is the newest run's; events without a run do not replace it", () => {
  const { state } = viewOf(
    ["run.started", {}, inRun("r")],
    ["state.written", { path: "†state.x", value: "the run's" }, inRun("r")],
    ["state.written", { path: "†state.x", value: "nobody's" }, { run_id: null }],
  );
  expect(state).toEqual({ "": { x: "the run's" } });
});

describe("calls", () => {
  it("P21: a proposed call is planned, runs, and ends with its result and duration", () => {
    const [call] = viewOf(
      ["run.started", {}],
      [
        "plan.proposed",
        { iteration: 1, calls: [{ _tool: "crm.deal.get", _id: "get", id: 1842, _outputPath: "†state.deal" }] },
      ],
      ["call.started", { call_id: "get", tool: "crm.deal.get", params: { id: 1842 } }],
      ["call.succeeded", { call_id: "get", tool: "crm.deal.get", output: { title: "Servers" } }],
    ).calls;
    expect(call).toMatchObject({
      id: "get",
      status: "succeeded",
      params: { id: 1842 },
      output: { title: "Servers" },
      started_seq: 3,
      ended_seq: 4,
    });
  });

  it("P24: a retry is recorded, and the duration counts from the first attempt", () => {
    const [call] = viewOf(
      ["run.started", {}],
      ["call.started", { call_id: "a", tool: "t", attempt: 1 }],
      [
        "call.retried",
        { call_id: "a", tool: "t", attempt: 1, error: { code: "QUERY_LIMIT", message: "slow down" }, delay_ms: 1000 },
      ],
      ["call.started", { call_id: "a", tool: "t", attempt: 2 }],
      ["call.succeeded", { call_id: "a", tool: "t" }],
    ).calls;
    expect(call).toMatchObject({ status: "succeeded", started_seq: 2, ended_seq: 5 });
    expect(call?.tries).toMatchObject([{ attempt: 1, error: { code: "QUERY_LIMIT" }, delay_ms: 1000 }]);
  });

  it("P19b: the same id in another iteration is another call", () => {
    const { calls, plan } = viewOf(
      ["run.started", {}],
      ["plan.proposed", { iteration: 1, calls: [{ _tool: "t", _id: "a" }] }],
      ["call.started", { call_id: "a", tool: "t" }],
      ["call.failed", { call_id: "a", tool: "t", error: { code: "x", message: "y" } }],
      ["plan.proposed", { iteration: 2, calls: [{ _tool: "t", _id: "a" }] }],
    );
    expect(calls.map(({ iteration, status }) => [iteration, status])).toEqual([
      [1, "failed"],
      [2, "planned"],
    ]);
    expect(plan).toMatchObject({ iteration: 2, recorded: false });
  });

  it("P25: a call without an instance is there once per instance of the run", () => {
    const { calls, state } = viewOf(
      ["run.started", {}],
      [
        "plan.proposed",
        {
          iteration: 1,
          calls: [
            { _tool: "t", _id: "a" },
            { _tool: "t", _id: "b", _instance: "②" },
          ],
        },
      ],
      ["call.started", { call_id: "a", tool: "t", instance: "①" }],
      ["state.written", { path: "†state.x", value: 1, instance: "②" }],
    );
    expect(calls.map(({ id, instance, status }) => `${id}${instance} ${status}`).sort()).toEqual([
      "a① running",
      "a② planned",
      "b② planned",
    ]);
    expect(state).toEqual({ "①": {}, "②": { x: 1 } });
  });

  it("E6: an end without a start is applied with a warning", () => {
    const { calls, warnings } = viewOf(["run.started", {}], ["call.succeeded", { call_id: "a", tool: "t", output: 1 }]);
    expect(calls).toMatchObject([{ id: "a", status: "succeeded" }]);
    expect(warnings).toEqual([
      {
        seq: 2,
        run_id: "run",
        code: "call_not_started",
        message: "The call a ended here without having started",
      },
    ]);
  });

  it("E6: a second end is a warning", () => {
    const { warnings } = viewOf(
      ["run.started", {}],
      ["call.started", { call_id: "a", tool: "t" }],
      ["call.succeeded", { call_id: "a", tool: "t" }],
      ["call.failed", { call_id: "a", tool: "t" }],
    );
    expect(warnings).toMatchObject([{ seq: 4, code: "call_already_ended" }]);
  });
});

describe("state", () => {
  it("P9: a write creates parent objects; †state alone writes an object's keys", () => {
    const { state } = viewOf(
      ["run.started", {}],
      ["state.written", { path: "†state.deal.amount", value: 5 }],
      ["state.written", { path: "†state", value: { a: 1, b: 2 } }],
    );
    expect(state).toEqual({ "": { deal: { amount: 5 }, a: 1, b: 2 } });
  });

  it("P12: a write below a value that is not an object changes nothing and warns", () => {
    const { state, warnings } = viewOf(
      ["run.started", {}],
      ["state.written", { path: "†state.deal", value: 5 }],
      ["state.written", { path: "†state.deal.amount", value: 6 }],
    );
    expect(state).toEqual({ "": { deal: 5 } });
    expect(warnings).toMatchObject([{ seq: 3, code: "write_below_scalar" }]);
  });

  it("P8: keys such as __proto__ are ordinary keys and reach no prototype", () => {
    const { state } = viewOf(
      ["run.started", {}],
      ["state.written", { path: "†state.__proto__.polluted", value: true }],
    );
    expect(JSON.stringify(state)).toBe('{"":{"__proto__":{"polluted":true}}}');
    expect(Object.prototype).not.toHaveProperty("polluted");
  });

  it("P9: a path that cannot be written is a warning with the reason", () => {
    const { warnings } = viewOf(["run.started", {}], ["state.written", { path: "†input.a", value: 1 }]);
    expect(warnings).toMatchObject([
      { code: "unreadable_path", message: expect.stringContaining("only †state can be written") },
    ]);
  });

  it("E6: the view's state is the newest top-level run's, not its delegate's", () => {
    const { state, runs } = viewOf(
      ["run.started", {}, inRun("old")],
      ["state.written", { path: "†state.a", value: "old" }, inRun("old")],
      ["run.started", {}, inRun("new")],
      ["state.written", { path: "†state.a", value: "new" }, inRun("new")],
      ["run.started", { delegate: "summarize", call_id: "s" }, inRun("child", "new")],
      ["state.written", { path: "†state.a", value: "child" }, inRun("child", "new")],
    );
    expect(state).toEqual({ "": { a: "new" } });
    expect(runs.find((run) => run.id === "child")).toMatchObject({
      parent_run_id: "new",
      parent_call_id: "s",
      delegate: "summarize",
      state: { "": { a: "child" } },
    });
  });

  it("E6: the last writer of a path is recorded", () => {
    const { runs } = viewOf(
      ["run.started", {}],
      ["state.written", { path: "†state.a", value: 1, call_id: "first" }],
      ["state.written", { path: "†state.b", value: 1, call_id: "other" }],
      ["state.written", { path: "†state.a", value: 2, call_id: "second" }],
    );
    expect(runs[0]?.writes.map(({ path, call_id, seq }) => [path, call_id, seq])).toEqual([
      ["†state.a", "second", 4],
      ["†state.b", "other", 3],
    ]);
  });
});

describe("plans", () => {
  it("P15: the view's plan has its edges with paths", () => {
    const { plan } = viewOf(
      ["run.started", {}],
      [
        "plan.proposed",
        {
          iteration: 1,
          calls: [
            { _tool: "get", _id: "g", _outputPath: "†state.deal" },
            { _tool: "put", _id: "p", amount: "†state.deal.amount" },
          ],
        },
      ],
    );
    expect(plan?.edges).toEqual([{ from: "g", to: "p", paths: ["†state.deal.amount"], kind: "data" }]);
  });

  it("E6: calls without a plan are shown as a recorded plan, with † escaped in strings", () => {
    const { plan } = viewOf(
      ["run.started", {}],
      ["call.started", { call_id: "a", tool: "t", iteration: 1, params: { note: "†state.x" } }],
      ["call.started", { call_id: "b", tool: "t", iteration: 2 }],
    );
    expect(plan).toMatchObject({
      recorded: true,
      calls: [
        { _id: "a", _tool: "t", note: "††state.x" },
        { _id: "b", _tool: "t" },
      ],
      edges: [],
    });
  });

  it("E6: a run without calls leaves the previous run's plan in view", () => {
    const { plan } = viewOf(
      ["run.started", {}, inRun("r1")],
      ["call.started", { call_id: "a", tool: "t" }, inRun("r1")],
      ["run.finished", {}, inRun("r1")],
      ["run.started", {}, inRun("r2")],
    );
    expect(plan?.run_id).toBe("r1");
  });
});

describe("conversation status", () => {
  const started: Parameters<typeof session>[number] = ["run.started", {}];
  const asked: Parameters<typeof session>[number] = [
    "confirmation.requested",
    { confirmation_id: "k", key: "deal_1", call_id: "a", action: { method: "m", params: {} } },
  ];

  it("E4: is the first that applies of escalated, waiting, running, failed, idle", () => {
    expect(viewOf(["log", 1]).status).toBe("idle");
    expect(viewOf(started).status).toBe("running");
    expect(viewOf(started, ["run.waiting", {}]).status).toBe("waiting");
    expect(viewOf(started, asked).status).toBe("waiting");
    expect(viewOf(started, asked, ["confirmation.approved", { confirmation_id: "k" }]).status).toBe("running");
    expect(viewOf(started, asked, ["manager.alerted", { text: "help" }]).status).toBe("escalated");
    expect(viewOf(started, ["manager.alerted", { text: "help" }], ["conversation.handed_back", {}]).status).toBe(
      "running",
    );
    expect(viewOf(started, ["run.failed", { error: "boom" }]).status).toBe("failed");
    expect(viewOf(started, ["run.finished", {}]).status).toBe("idle");
  });

  it("E4: a failed delegate does not fail the conversation, and a new run clears an old failure", () => {
    expect(
      viewOf(started, ["run.started", {}, inRun("child", "run")], ["run.failed", {}, inRun("child", "run")]).status,
    ).toBe("running");
    expect(
      viewOf(started, ["run.failed", {}], ["run.started", {}, inRun("next")], ["run.finished", {}, inRun("next")])
        .status,
    ).toBe("idle");
  });
});

describe("confirmations", () => {
  it("M9: the first decision counts, and a second one is a warning", () => {
    const { confirmations, warnings, calls } = viewOf(
      ["run.started", {}],
      ["call.parked", { call_id: "a", tool: "crm.deal.update" }],
      [
        "confirmation.requested",
        {
          confirmation_id: "k",
          key: "deal_1",
          call_id: "a",
          action: { method: "crm.deal.update", params: { OPPORTUNITY: 5 } },
        },
      ],
      ["confirmation.approved", { confirmation_id: "k", decided_by: "operator:anna" }],
      ["confirmation.denied", { confirmation_id: "k", decided_by: "operator:boris" }],
    );
    expect(confirmations).toMatchObject([{ id: "k", status: "approved", decided_by: "operator:anna", decided_seq: 4 }]);
    expect(warnings).toMatchObject([{ seq: 5, code: "confirmation_already_decided" }]);
    expect(calls).toMatchObject([{ status: "parked", confirmation_id: "k" }]);
  });

  it("P22b: approvals of different people count, and those of an import do not", () => {
    const approved = (by: string, recorded_by: "server" | "import"): Parameters<typeof session>[number] => [
      "confirmation.partially_approved",
      { confirmation_id: "k", decided_by: by },
      { recorded_by },
    ];
    const { confirmations } = viewOf(
      [
        "confirmation.requested",
        { confirmation_id: "k", key: "k", action: { method: "pay", params: {} }, approvals: 3 },
      ],
      approved("operator:boris", "import"),
      approved("operator:anna", "server"),
      approved("operator:anna", "server"),
    );
    expect(confirmations).toMatchObject([{ status: "requested", approvals: { needed: 3, given: [{ seq: 3 }] } }]);
  });
});

describe("memory", () => {
  it("M10: the self-check's findings have their run", () => {
    const { warnings } = viewOf(
      ["run.started", {}],
      ["run.started", {}, { run_id: "queued" }],
      ["selfcheck.warned", { warnings: ["No goals"] }, { run_id: "run" }],
    );
    expect(warnings).toEqual([{ seq: 3, run_id: "run", code: "self_check", message: "No goals" }]);
  });

  it("M13: a call that stays planned differs from a skipped one, until it is planned again", () => {
    const skipped = (payload: JsonObject): Parameters<typeof viewOf>[number] => [
      "call.skipped",
      { call_id: "a", tool: "t", reason: "In somebody's own words", ...payload },
    ];
    const plannedIn = (...steps: Parameters<typeof viewOf>) =>
      viewOf(["run.started", {}], ...steps).calls.map(({ status, planned }) => [status, planned]);
    expect(plannedIn(skipped({ planned: true }))).toEqual([["skipped", true]]);
    expect(plannedIn(skipped({}))).toEqual([["skipped", false]]);
    const again: Parameters<typeof viewOf>[number] = ["run.resumed", { calls: [{ call_id: "a" }] }];
    expect(plannedIn(skipped({ planned: true }), again)).toEqual([["planned", false]]);
  });

  it("E6: JSON Patches are applied, and one that does not apply changes nothing and warns", () => {
    const { memory, warnings } = viewOf(
      ["memory.updated", { delta: [{ op: "add", path: "/goals", value: ["a"] }] }],
      ["memory.updated", { delta: [{ op: "add", path: "/goals/0", value: "b" }] }],
      [
        "memory.updated",
        {
          delta: [
            { op: "add", path: "/goals/-", value: "c" },
            { op: "remove", path: "/none" },
          ],
        },
      ],
    );
    expect(memory).toEqual({ goals: ["b", "a"] });
    expect(warnings).toMatchObject([{ seq: 3, code: "memory_patch_failed" }]);
  });
});
