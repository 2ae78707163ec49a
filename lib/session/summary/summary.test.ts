import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json.ts";
import { session } from "../testing/events.ts";
import { addActivity, emptyActivity } from "./activity.ts";
import { emptySummary, shownStatusOf, statusOf, summarize } from "./summary.ts";

const fold = (...steps: Parameters<typeof session>) => session(...steps).reduce(summarize, emptySummary());

it("E4: the list's row has title, subject, user, counts and the newest message", () => {
  const summary = fold(
    ["conversation.created", { title: "Deal 1842", channel: "telegram", agent_id: "crm" }],
    ["message.created", { message_id: "1", role: "user", content: "Raise\n  the amount" }, { actor: "user:ilya" }],
    ["call.started", { call_id: "a", tool: "t" }],
    ["message.created", { message_id: "2", role: "assistant", content: "Done" }],
    ["message.created", { message_id: "3", role: "assistant", content: "" }],
  );
  expect(summary).toMatchObject({
    title: "Deal 1842",
    subject: "Raise the amount",
    channel: "telegram",
    agent_id: "crm",
    user_id: "ilya",
    message_count: 3,
    call_count: 1,
    event_count: 5,
    last_seq: 5,
    preview: { role: "assistant", text: "Done" },
  });
});

it("P24: a conversation whose failed run is resumed is running, and fails only if that does", () => {
  const run = { run_id: "r" };
  const failed = fold(["run.started", {}, run], ["run.failed", {}, run]);
  expect(statusOf(failed)).toBe("failed");
  const resumed = fold(["run.started", {}, run], ["run.failed", {}, run], ["run.resumed", {}, run]);
  expect(statusOf(resumed)).toBe("running");
  const ended = fold(
    ["run.started", {}, run],
    ["run.failed", {}, run],
    ["run.resumed", {}, run],
    ["run.finished", {}, run],
  );
  expect(statusOf(ended)).toBe("idle");
});

it("E4: the number of open runs of programs is limited, but not of the server's own", () => {
  type Steps = Parameters<typeof session>;
  const started = (count: number, by: "engine" | "program"): Steps =>
    Array.from({ length: count }, (_, n) => ["run.started", {}, { run_id: `${by}-${n}`, recorded_by: by }]);
  const asked: Steps = Array.from({ length: 1_500 }, (_, n) => [
    "confirmation.requested",
    { confirmation_id: `k${n}`, key: `k${n}`, action: { method: "m", params: {} } },
  ]);
  const open = fold(...started(300, "program"), ...started(300, "engine"), ...asked);
  expect([Object.keys(open.open_runs).length, open.awaiting.length]).toEqual([500, 1_000]);
  const ends: Steps = started(200, "program").map(([, , { run_id } = {}]) => ["run.finished", {}, { run_id }]);
  expect(statusOf(fold(...started(200, "program"), ...ends))).toBe("idle");
});

describe("E4: a conversation is running while something of it runs", () => {
  type Steps = Parameters<typeof session>;
  const call = (what: string, more: JsonObject = {}, run_id: string | null = "r"): Steps[number] => [
    `call.${what}`,
    { call_id: "a", tool: "t", ...more },
    { run_id },
  ];
  const run = (what: string): Steps[number] => [`run.${what}`, {}, { run_id: "r" }];
  const told: [what: string, status: string, steps: Steps][] = [
    ["a run", "running", [run("started")]],
    ["a call of a run", "running", [run("started"), call("started")]],
    ["a call of a run that was ended", "idle", [run("started"), call("started"), run("finished")]],
    ["a call without a run's start", "running", [call("started")]],
    ["a call without a run", "running", [call("started", {}, null)]],
    ["such a call that was tried again", "running", [call("started"), call("retried"), call("started")]],
    ["one of two such calls", "running", [call("started"), call("started", { instance: "①" }), call("succeeded")]],
    ["such a call that has ended", "idle", [call("started", {}, null), call("failed", {}, null)]],
    ["such a call that waits for people", "idle", [call("started"), call("parked")]],
    ["such a call whose run has ended", "idle", [call("started"), run("cancelled")]],
    [
      "a call that came late, after its run",
      "idle",
      [run("started"), run("finished"), call("started"), call("denied")],
    ],
  ];
  it.each(told)("%s: %s", (_what, status, steps) => expect(statusOf(fold(...steps))).toBe(status));
});

describe("E4: an idle conversation has a more specific status", () => {
  type Steps = Parameters<typeof session>;
  const ask: Steps[number] = ["message.created", { message_id: "q", role: "user", content: "Well?" }, { run_id: null }];
  const answer: Steps[number] = ["message.created", { message_id: "a", role: "assistant", content: "Yes" }];
  const system: Steps[number] = ["message.created", { message_id: "s", role: "system", content: "Note" }];
  const run: Steps = [
    ["run.started", {}],
    ["run.finished", {}],
  ];
  const forked: Steps[number] = ["conversation.created", { forked_from: { conversation_id: "s", seq: 3 } }];
  const [handOver, handBack]: Steps = [
    ["manager.alerted", { text: "help" }],
    ["conversation.handed_back", {}],
  ];
  const draft: Steps = [
    ["run.started", { reason: "Forked" }, { run_id: "f:run:draft" }],
    ["run.finished", { reason: "Forked" }, { run_id: "f:run:draft" }],
  ];
  const told: [what: string, shown: string, steps: Steps][] = [
    ["nothing has run", "no_runs", [ask]],
    [
      "calls that no run made",
      "done",
      [
        ["call.started", { call_id: "a", tool: "t" }],
        ["call.succeeded", { call_id: "a", tool: "t" }],
      ],
    ],
    ["a run that has ended", "done", run],
    ["a question after all runs", "no_answer", [...run, ask]],
    ["a question, and a note of the system", "no_answer", [...run, ask, system]],
    [
      "a complaint that is handed back without a word",
      "no_answer",
      [...run, ...(handOver ? [handOver] : []), ask, ...(handBack ? [handBack] : [])],
    ],
    ["a question that a run took up", "done", [ask, ...run]],
    ["a question within its run", "done", [...run, [ask[0], ask[1]]]],
    ["a question that was answered", "done", [...run, ask, answer]],
    [
      "a run that was cancelled",
      "cancelled",
      [
        ["run.started", {}],
        ["run.cancelled", {}],
      ],
    ],
    [
      "a plan that was not run",
      "simulated",
      [
        ["run.started", {}],
        ["run.finished", { reason: "shadow" }],
      ],
    ],
    ["a fork of a question", "not_run", [...run, ask, forked]],
    ["a fork that closed a run", "not_run", [["run.started", {}], forked, ["run.cancelled", { reason: "Forked" }]]],
    ["a fork with edits", "not_run", [forked, ...draft]],
    ["a question in a fork that nobody answers", "no_answer", [...run, forked, ask]],
    [
      "a run in a fork",
      "done",
      [...run, forked, ["run.started", {}, { run_id: "own" }], ["run.finished", {}, { run_id: "own" }]],
    ],
    ["a fork that simulates", "simulated", [forked, ["run.started", { simulated: true }], ["run.finished", {}]]],
  ];
  it.each(told)("%s: %s", (_what, shown, steps) => {
    const summary = fold(...steps);
    expect(statusOf(summary)).toBe("idle");
    expect(shownStatusOf(summary)).toBe(shown);
  });
});

describe("after a decision the conversation waits for the agent", () => {
  const run = { run_id: "r" };
  const asks: Parameters<typeof session> = [
    ["run.started", {}, run],
    ["confirmation.requested", { confirmation_id: "k", key: "k", action: { method: "m", params: {} } }, run],
    ["run.waiting", {}, run],
  ];
  const by = { actor: "operator:anna", ...run };
  const decided = (what: "approved" | "denied") => [`confirmation.${what}`, { confirmation_id: "k" }, by] as const;

  it.each(["approved", "denied"] as const)("%s: nobody is awaited, and the agent has not answered", (what) => {
    const summary = fold(...asks, [...decided(what)]);
    expect(statusOf(summary)).toBe("running");
    expect(summary.unanswered).toEqual([{ confirmation_id: "k", run_id: "r", decision: what }]);
  });

  it("until its next event of that run, or of a delegate", () => {
    const left = (...more: Parameters<typeof session>) => fold(...asks, [...decided("approved")], ...more).unanswered;
    expect(left(["log", {}, { run_id: "other" }])).toHaveLength(1);
    expect(left(["conversation.titled", { title: "t" }, { run_id: null }])).toHaveLength(1);
    expect(left(["call.started", { call_id: "a", tool: "m" }, run])).toEqual([]);
    expect(left(["run.resumed", {}, run])).toEqual([]);
    expect(left(["log", {}, { run_id: "child", parent_run_id: "r" }])).toEqual([]);
  });

  it("is waiting while another is pending, and when the agent waits again", () => {
    const other = { confirmation_id: "k2", key: "k2", action: { method: "m", params: {} } };
    const both = fold(...asks, ["confirmation.requested", other, run], [...decided("approved")]);
    expect(statusOf(both)).toBe("waiting");
    expect(statusOf(fold(...asks, [...decided("approved")], ["run.waiting", {}, run]))).toBe("waiting");
  });

  it("ends with the run", () => {
    expect(fold(...asks, ["run.failed", {}, run], [...decided("denied")]).unanswered).toEqual([]);
  });
});

it("E4: a long subject is cut between code points", () => {
  const { subject } = fold(["message.created", { message_id: "1", role: "user", content: "👩‍🚀".repeat(200) }]);
  expect(subject?.endsWith("…")).toBe(true);
  expect(subject?.isWellFormed()).toBe(true);
});

it("E4: the last activity is by event time, not by ingestion, and never in the future", () => {
  const late = fold(["log", 1, { occurred_at: "2020-01-01T00:00:00.000Z" }]);
  expect(late.updated_at).toBe("2020-01-01T00:00:00.000Z");
  const ahead = fold(["log", 1, { occurred_at: "2999-01-01T00:00:00.000Z", recorded_at: "2026-01-01T00:00:00.000Z" }]);
  expect(ahead.updated_at).toBe("2026-01-01T00:00:00.000Z");
});

it("C1: the activity strip counts every event in at most 40 bars", () => {
  const times = fc.array(fc.integer({ min: 0, max: 10 ** 10 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(times, fc.boolean(), (offsets, timed) => {
      const sorted = offsets.toSorted((a, b) => a - b);
      const strip = emptyActivity();
      for (const [index, time] of sorted.entries())
        addActivity(strip, index + 1, timed ? time : null, index % 7 === 0 ? "e" : ".");
      expect(strip.counts.length).toBeLessThanOrEqual(40);
      expect(strip.counts.reduce((a, b) => a + b, 0)).toBe(sorted.length);
      expect(strip.marks).toHaveLength(strip.counts.length);
      expect(strip.marks).toContain("e");
    }),
  );
});
