import { describe, expect, test, vi } from "vitest";
import { isJsonObject, type JsonObject } from "../../../session/json/json.ts";
import type { RunMode } from "../../engine.ts";
import { directedTurn, inTurn, speaker } from "../../testing/directing.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { gated, setupRemembering } from "../../testing/remembering.ts";
import { type Said, scripted } from "../../testing/scripted.ts";
import { AGENT, type Bench, echo, type SetupOptions, type TestTool } from "../../testing/setup.ts";
import { type Activity, ActivityError } from "../../tools/activity.ts";
import type { DelegateDefinition } from "../../tools/delegate.ts";

const ANNA = "operator:anna";
const HELP = { text: "An angry client", reason: "angry" };

const native = (...calls: [name: string, params: object][]): Said => ({
  native: calls.map(([name, params], index) => ({
    ...{ call_id: `n${index}`, name, arguments: JSON.stringify(params) },
  })),
});

/** A turn in which an agent answers by itself. */
const turn = (n = 1) => ({
  ...{ user_id: "ann", agent_id: "crm", conversation_id: "c" },
  turn: { ...AGENT, run_id: `r${n}`, message: { id: `m${n}`, content: `say ${n}` } },
});

const manager: TestTool = { activity: echo, control: "escalate", effect: "none" };

function bench(sayings: Said[], more: SetupOptions = {}) {
  const gate = gated();
  const options: SetupOptions = {
    ...more,
    model: scripted(...sayings).model,
    tools: {
      manager,
      // Not idempotent, so that it does not start before its plan stands.
      hold: { activity: gate.activity, idempotent: false },
      echo: { activity: echo },
      hand: {},
      ...more.tools,
    },
  };
  return { made: setupRemembering(options), options, ...gate };
}

const told = (made: Bench) =>
  made.session().messages.flatMap(({ role, content }) => (role === "assistant" ? [content] : []));
const awaited = (made: Bench) =>
  [...made.session().confirmations.values()].filter(({ status }) => status === "requested");
const statusOf = (made: Bench, runId: string) => {
  const { status, reason } = made.runOf(runId);
  return `${status} ${reason}`;
};

describe("D9: a manager is called", () => {
  test("from a turn: managers are told, the user politely, and the run ends finished with its reason", async () => {
    const { made } = bench([native(["manager", HELP])]);
    const id = await made.run(null, turn());
    expect(made.runOf(id)).toMatchObject({ status: "finished", reason: "escalated" });
    const [alert] = made.events("manager.alerted");
    expect(alert).toMatchObject({ run_id: id, agent_id: "crm", payload: HELP });
    expect(alert?.caused_by).toBe(made.events("call.succeeded")[0]?.id);
    expect(told(made)).toEqual(["escalated"]);
    const message = made.events("message.created").at(-1);
    expect(message).toMatchObject({ caused_by: alert?.id, payload: { metadata: { escalated: true } } });
    expect(made.logged).toEqual([]);
  });

  test("D6: from an agent of a directed turn: nobody speaks any more", async () => {
    const director = inTurn(speaker("admin"), speaker("demo"));
    const { made } = bench([native(["manager", HELP])], { director });
    const id = await made.run(null, directedTurn());
    expect(statusOf(made, id)).toBe("finished escalated");
    expect(director.asked).toHaveLength(1);
    expect(told(made)).toEqual(["escalated"]);
  });

  test("from a plan that answers nobody: it just ends", async () => {
    const { made } = bench([]);
    const plan: JsonObject[] = [
      { _tool: "manager", _id: "m", ...HELP, _outputPath: "†state.called" },
      { _tool: "echo", _id: "after", value: "†state.called" },
    ];
    const id = await made.run(plan, { conversation_id: "c" });
    expect(statusOf(made, id)).toBe("finished escalated");
    expect(made.statuses(id)).toEqual({ m: "succeeded", after: "cancelled" });
    expect(made.call(id, "after").reason).toBe("A manager was called");
    expect(made.types).not.toContain("message.created");
  });

  test("only when the call has succeeded: a failed one leaves the run as it is", async () => {
    const failing: TestTool = { activity: () => Promise.reject(new Error("no line")), control: "escalate" };
    const { made } = bench([native(["manager", HELP]), { native: [], text: "Nobody can be reached" }], {
      tools: { manager: failing },
    });
    const id = await made.run(null, turn());
    expect(made.runOf(id).reason).toBeNull();
    expect(told(made)).toEqual(["Nobody can be reached"]);
    expect(made.types).not.toContain("manager.alerted");
  });

  test("P24: calls that run finish and are told; nothing new starts, and nothing is tried again", async () => {
    const broken = gated();
    const flaky: Activity = async (...given) => {
      await broken.activity(...given);
      throw new ActivityError("busy", "later", { did_not_happen: true });
    };
    const { made, open, started } = bench(
      [
        native(
          ["hold", { name: "a" }],
          ["flaky", { name: "f" }],
          ["manager", HELP],
          ["risky", { value: 1 }],
          ["hold", { name: "waits" }],
        ),
        { native: [], text: "never" },
      ],
      {
        tools: {
          flaky: { activity: flaky, retries: 3, idempotent: false },
          risky: { activity: echo, requires_confirmation: true },
        },
      },
    );
    const id = await made.start(null, { ...turn(), concurrency: 3 });
    await vi.waitFor(() => expect(made.types).toContain("manager.alerted"));
    // The user hears of it at once.
    expect(told(made)).toEqual(["escalated"]);
    expect(made.runOf(id).status).toBe("running");
    broken.open("f");
    open("a");
    await made.settle(id);
    expect(statusOf(made, id)).toBe("finished escalated");
    expect(Object.values(made.statuses(id))).toEqual(["succeeded", "failed", "succeeded", "cancelled", "cancelled"]);
    expect(started).toEqual(["a"]);
    expect(made.types).not.toContain("call.retried");
    expect(told(made)).toEqual(["escalated"]);
  });

  test("P22: what awaits a person is closed by the system", async () => {
    const gate = gated();
    const { made } = bench([native(["risky", { value: 1 }], ["manager", { name: "m", ...HELP }])], {
      tools: {
        risky: { activity: echo, requires_confirmation: true },
        manager: { ...manager, activity: gate.activity },
      },
    });
    const id = await made.start(null, turn());
    await vi.waitFor(() => expect(made.types).toContain("confirmation.requested"));
    gate.open("m");
    await made.settle(id);
    expect(made.events("confirmation.denied")).toMatchObject([
      { actor: "system", payload: { decided_by: "system", reason: "A manager was called" } },
    ]);
    expect(awaited(made)).toEqual([]);
    expect(statusOf(made, id)).toBe("finished escalated");
  });

  test("called twice in one iteration: each alert is told, the user once, and the run ends once", async () => {
    const { made } = bench([native(["manager", HELP], ["manager", { text: "again" }])]);
    await made.run(null, turn());
    expect(made.events("manager.alerted").map(({ payload }) => payload.text)).toEqual([HELP.text, "again"]);
    expect(told(made)).toEqual(["escalated"]);
    expect(made.events("run.finished")).toHaveLength(1);
  });

  test.each<[RunMode, string, number]>([
    ["shadow", "finished shadow", 0],
    ["canary", "finished escalated", 1],
  ])("M13: in %s: %s", async (mode, end, alerts) => {
    const { made } = bench([native(["manager", HELP])]);
    const id = await made.run(null, { ...turn(), mode });
    expect(statusOf(made, id)).toBe(end);
    expect(made.events("manager.alerted")).toHaveLength(alerts);
  });

  test("P2a: it stays what it is where a request lays a tool of its own over it, or another tool carries it out", async () => {
    const { made } = bench([]);
    const own = { name: "manager", description: "Mine", schema: {}, requires_confirmation: false };
    const over = await made.run([{ _tool: "manager", _id: "m" }], { tools: [own] });
    const carried = setupRemembering({
      tools: { manager, other: {} },
      activities: { manager: echo },
    });
    const by = await carried.run([{ _tool: "other", _id: "m", _activity: "manager" }]);
    expect([statusOf(made, over), statusOf(carried, by)]).toEqual(["finished escalated", "finished escalated"]);
  });

  test("P20: it does not start while its plan streams", async () => {
    const calls: JsonObject[] = [
      { _tool: "manager", _id: "m", text: "x" },
      { _tool: "nobody", _id: "n" },
    ];
    const { made } = bench([{ calls }, { calls: [], output: 1 }]);
    await made.run(null);
    expect(made.types).not.toContain("call.started");
    expect(made.types).not.toContain("manager.alerted");
  });
});

describe("D9, P24: and something else ends the run", () => {
  function holding(budget = {}) {
    const all = bench([native(["hold", { name: "a" }], ["manager", HELP])]);
    const begin = async () => {
      const id = await all.made.start(null, { ...turn(), budget });
      await vi.waitFor(() => expect(told(all.made)).toEqual(["escalated"]));
      return id;
    };
    return { ...all, begin };
  }

  test("a person cancels it: it is cancelled, and its user hears no more", async () => {
    const { made, begin } = holding();
    const id = await begin();
    await made.engine.cancel(id, ANNA);
    expect(made.runOf(id).status).toBe("cancelled");
    expect(told(made)).toEqual(["escalated"]);
  });

  test("its time is spent: nothing is waited for any more, and it ends as it was to", async () => {
    const { made, begin } = holding({ time_ms: 5_000 });
    const id = await begin();
    await made.settle(id);
    expect(statusOf(made, id)).toBe("finished escalated");
    expect(told(made)).toEqual(["escalated"]);
    expect(Object.values(made.statuses(id))).toEqual(["cancelled", "succeeded"]);
  });

  test("its budget of calls is spent meanwhile: that a manager was called goes before", async () => {
    const gate = gated();
    const { made } = bench([native(["manager", { name: "m", ...HELP }], ["hold", { name: "b" }])], {
      tools: { manager: { ...manager, activity: gate.activity } },
    });
    const id = await made.start(null, { ...turn(), budget: { calls: 1 } });
    await vi.waitFor(() => expect(gate.started).toEqual(["m"]));
    gate.open("m");
    await made.settle(id);
    expect(statusOf(made, id)).toBe("finished escalated");
    expect(told(made)).toEqual(["escalated"]);
  });

  const takeOver = (journal: MemoryJournal) =>
    journal.append([
      {
        ...{ id: "over", conversation_id: "c", type: "conversation.taken_over", actor: ANNA, payload: {} },
        ...{ agent_id: null, run_id: null, parent_run_id: null, caused_by: null, occurred_at: null },
      },
    ]);

  test("D11: a manager takes the conversation over right after the alert: the run makes way", async () => {
    const { made, begin } = holding();
    const id = await begin();
    await takeOver(made.journal);
    await made.engine.yieldToOperator("c", ANNA);
    expect(statusOf(made, id)).toBe(`cancelled Taken over by ${ANNA}`);
    expect(told(made)).toEqual(["escalated"]);
    expect(made.logged).toEqual([]);
  });

  test("D11: taken over a moment before: the manager is told, the polite message stays unsaid", async () => {
    const gate = gated();
    const { made } = bench([native(["manager", { name: "m", ...HELP }])], {
      tools: { manager: { ...manager, activity: gate.activity } },
    });
    const id = await made.start(null, turn());
    await vi.waitFor(() => expect(gate.started).toEqual(["m"]));
    await takeOver(made.journal);
    gate.open("m");
    await made.settle(id);
    expect(statusOf(made, id)).toBe("finished escalated");
    expect(made.events("manager.alerted")).toHaveLength(1);
    expect(told(made)).toEqual([]);
    expect(made.logged).toEqual([]);
  });
});

describe("D9, P27: from a delegate, at any depth", () => {
  const inner: DelegateDefinition["plan"] = [
    { _tool: "manager", _id: "m", ...HELP, after: "†state.e", _outputPath: "†state.m" },
    { _tool: "echo", _id: "e", value: 1, _outputPath: "†state.e" },
  ];
  const delegates: SetupOptions["delegates"] = [
    { name: "deep", plan: [{ _tool: "hand", _id: "h2", _delegate: "deeper", _outputPath: "†state.h" }] },
    { name: "deeper", plan: inner },
    {
      name: "sibling",
      plan: [
        { _tool: "hold", _id: "s", name: "s", _outputPath: "†state.s" },
        { _tool: "echo", _id: "next", value: "†state.s" },
      ],
    },
  ];
  const both = native(["hand", { _delegate: "deep" }], ["hand", { _delegate: "sibling" }]);
  const ends = (made: Bench) =>
    [...made.session().runs.values()].map(({ delegate, status, reason }) => `${delegate ?? "top"} ${status} ${reason}`);

  test("the whole tree ends finished with the reason; what a sibling runs finishes, and nothing new starts in it", async () => {
    const { made, open, started } = bench([both, { native: [], text: "never" }], { delegates });
    const id = await made.start(null, turn());
    await vi.waitFor(() => {
      expect(told(made)).toEqual(["escalated"]);
      expect(started).toEqual(["s"]);
    });
    expect(made.runOf(id).status).toBe("running");
    open("s");
    await made.settle(id);
    expect(ends(made).sort()).toEqual(["deep", "deeper", "sibling", "top"].map((name) => `${name} finished escalated`));
    expect(made.events("manager.alerted")).toHaveLength(1);
    expect(told(made)).toEqual(["escalated"]);
    const calls = [...made.session().calls.values()].map((call) => `${call.id} ${call.status}`);
    expect(calls.sort()).toEqual([
      ...[
        "e succeeded",
        "h2 cancelled",
        "m succeeded",
        "n0 cancelled",
        "n1 cancelled",
        "next cancelled",
        "s succeeded",
      ],
    ]);
    expect(made.logged).toEqual([]);
  });

  test("D11: the top-level run is a manager's by then: the tree ends, and nothing is said", async () => {
    const gate = gated();
    const { made } = bench([both], {
      ...{ delegates, tools: { manager: { ...manager, activity: (_p, s, c) => gate.activity({ name: "m" }, s, c) } } },
    });
    const id = await made.start(null, turn());
    await vi.waitFor(() => expect(gate.started).toEqual(["m"]));
    await made.journal.append([
      {
        ...{ id: "over", conversation_id: "c", type: "conversation.taken_over", actor: ANNA, payload: {} },
        ...{ agent_id: null, run_id: null, parent_run_id: null, caused_by: null, occurred_at: null },
      },
    ]);
    gate.open("m");
    await made.settle(id);
    expect(made.runOf(id).status).toBe("cancelled");
    expect(made.events("manager.alerted")).toHaveLength(1);
    expect(told(made)).toEqual([]);
    expect(made.logged).toEqual([]);
  });

  test("a delegate's run that was about to begin does not", async () => {
    const gate = gated();
    const journal = new MemoryJournal();
    const append = journal.append.bind(journal);
    // The manager is called while the start of the second delegate is on its way to disk.
    journal.append = async (events) => {
      if (
        events.some(({ type, payload }) => type === "call.started" && isJsonObject(payload) && payload.call_id === "b")
      ) {
        gate.open("m");
        await vi.waitFor(() => expect(journal.events.some(({ type }) => type === "manager.alerted")).toBe(true));
      }
      return append(events);
    };
    const { made } = bench([], {
      ...{ journal, tools: { manager: { ...manager, activity: gate.activity } } },
      delegates: [
        { name: "calling", plan: [{ _tool: "manager", _id: "m", name: "m" }] },
        { name: "late", plan: [{ _tool: "echo", _id: "e", value: 1 }] },
      ],
    });
    const plan: JsonObject[] = [
      { _tool: "hand", _id: "a", _delegate: "calling" },
      { _tool: "echo", _id: "x", value: 1, _outputPath: "†state.x" },
      { _tool: "hand", _id: "b", _delegate: "late", after: "†state.x" },
    ];
    const id = await made.start(plan);
    await made.engine.settled(id);
    expect(ends(made).sort()).toEqual(["calling finished escalated", "top finished escalated"]);
    expect(made.statuses(id)).toEqual({ a: "cancelled", x: "succeeded", b: "cancelled" });
  });

  test("P23: what ran when the process died is not asked about, for nothing of it will be run again", async () => {
    const never: Activity = () => new Promise(() => undefined);
    const { made: first, options } = bench([both], {
      ...{ delegates, tools: { hold: { activity: never, idempotent: false } } },
    });
    await first.start(null, turn());
    await vi.waitFor(() => {
      expect(told(first)).toEqual(["escalated"]);
      expect(first.events("call.started").map(({ payload }) => payload.call_id)).toContain("s");
    });
    first.journal.crash();
    const left = new MemoryJournal(first.journal.events, first.journal.documents);
    const next = setupRemembering({ ...options, model: scripted().model, journal: left, clock: first.clock });
    await next.clock.until(next.engine.recover());
    await next.settle("r1");
    expect(ends(next).sort()).toEqual(["deep", "deeper", "sibling", "top"].map((name) => `${name} finished escalated`));
    expect(next.types).not.toContain("confirmation.requested");
    expect(told(next)).toEqual(["escalated"]);
  });

  test("P23: a process that dies anywhere after the call: the next one tells the user once, and ends the tree", async () => {
    const quick = { delegates, tools: { hold: { activity: echo, idempotent: false } } };
    const { made: whole, options } = bench([both], quick);
    await whole.run(null, turn());
    const from = whole.types.indexOf("manager.alerted") + 1;
    expect(from).toBeGreaterThan(1);
    for (let death = from; death < whole.journal.events.length; death++) {
      const journal = new MemoryJournal();
      journal.crashAfter(death);
      const { made: first } = bench([both], { ...quick, journal });
      await first.run(null, turn()).catch((error: unknown) => {
        if (!journal.hasCrashed) throw error;
      });
      if (!first.types.includes("manager.alerted")) continue;
      const left = new MemoryJournal(first.journal.events, first.journal.documents);
      const next = setupRemembering({ ...options, model: scripted().model, journal: left, clock: first.clock });
      const [open] = await left.open();
      const starts = next.events("call.started").length;
      await next.clock.until(next.engine.recover());
      if (open) await next.settle(open.run_id);
      const place = `after ${death} events`;
      expect(next.runOf("r1"), place).toMatchObject({ status: "finished", reason: "escalated" });
      expect(
        [...next.session().runs.values()].every(({ ended_seq }) => ended_seq !== null),
        place,
      ).toBe(true);
      expect(told(next), place).toEqual(["escalated"]);
      expect(next.events("call.started").length, place).toBe(starts);
      expect(awaited(next), place).toEqual([]);
      expect(next.logged, place).toEqual([]);
    }
  });
});
