import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import type { RunRequest } from "../../engine.ts";
import { gated, setupRemembering } from "../../testing/remembering.ts";
import { scripted } from "../../testing/scripted.ts";
import { AGENT, echo, request } from "../../testing/setup.ts";

const step = (name: string) => [{ _tool: "slow", _id: "only", name }];

function slowly() {
  const gate = gated();
  const bench = setupRemembering({
    tools: { slow: { activity: gate.activity }, risky: { activity: echo, requires_confirmation: true } },
  });
  const start = async (user_id: string | null, name: string, more: Partial<RunRequest> = {}) =>
    (await bench.engine.start(request(step(name), { user_id, ...more }))).run_id;
  return { bench, start, ...gate };
}

describe("M11: whose turn it is", () => {
  test("one user's runs go one after another, in order of arrival; the later one is queued until then", async () => {
    const { bench, start, started, open } = slowly();
    const [first, second, third] = [await start("ann", "a1"), await start("ann", "a2"), await start("ann", "a3")];
    await vi.waitFor(() => expect(started).toEqual(["a1"]));
    const session = bench.session();
    expect(session.runs.get(first)?.status).toBe("running");
    expect(bench.events("run.started").map(({ payload }) => payload.queued ?? false)).toEqual([false, true, true]);
    open("a2");
    open("a3");
    open("a1");
    for (const id of [first, second, third]) await bench.engine.settled(id);
    expect(started).toEqual(["a1", "a2", "a3"]);
    const ends = bench.events("run.finished").map(({ run_id }) => run_id);
    expect(ends).toEqual([first, second, third]);
    expect(bench.events("run.resumed").map(({ payload }) => payload.reason)).toEqual(["Dequeued", "Dequeued"]);
  });

  test("different users' runs go at the same time, and so do runs of nobody", async () => {
    const { bench, start, started, open } = slowly();
    const ids = [await start("ann", "a"), await start("bob", "b"), await start(null, "x"), await start(null, "y")];
    await vi.waitFor(() => expect([...started].sort()).toEqual(["a", "b", "x", "y"]));
    for (const name of started) open(name);
    for (const id of ids) await bench.engine.settled(id);
  });

  test("a run that waits for a person gives its place up, and takes its turn again once that is decided", async () => {
    const { bench, started, open } = slowly();
    const plan: JsonObject[] = [
      { _tool: "risky", _id: "ask", value: 1, _outputPath: "†state.agreed" },
      { _tool: "slow", _id: "later", name: "first", after: "†state.agreed" },
    ];
    const { run_id: first } = await bench.engine.start(request(plan, { user_id: "ann" }));
    await bench.engine.settled(first);
    const { run_id: second } = await bench.engine.start(request(step("second"), { user_id: "ann" }));
    await vi.waitFor(() => expect(started).toEqual(["second"]));
    await bench.decide({ decision: "approve" });
    // Decided, and still not begun: the second has the turn.
    expect(bench.statuses(first).ask).toBe("parked");
    expect(bench.events("call.started").map(({ payload }) => payload.call_id)).toEqual(["only"]);
    open("second");
    await bench.engine.settled(second);
    await vi.waitFor(() => expect(started).toEqual(["second", "first"]));
    open("first");
    await vi.waitFor(() => expect(bench.events("run.finished")).toHaveLength(2));
    expect(bench.statuses(first)).toEqual({ ask: "succeeded", later: "succeeded" });
  });

  test("a run that is cancelled while it is queued ends at once, and leaves the line", async () => {
    const { bench, start, started, open } = slowly();
    const [first, second, third] = [await start("ann", "a1"), await start("ann", "a2"), await start("ann", "a3")];
    await bench.engine.cancel(second, "operator:ann");
    expect(bench.events("run.cancelled").map(({ run_id }) => run_id)).toEqual([second]);
    open("a1");
    open("a3");
    for (const id of [first, third]) await bench.engine.settled(id);
    expect(started).toEqual(["a1", "a3"]);
  });

  test("the next process keeps the order: what was under way goes on before what was queued", async () => {
    const { bench, start, started } = slowly();
    const ids = [await start("ann", "a1"), await start("ann", "a2"), await start("ann", "a3")];
    await vi.waitFor(() => expect(started).toEqual(["a1"]));
    bench.journal.crash();
    const after = gated();
    const next = bench.successor({ tools: { slow: { activity: after.activity } } });
    for (const name of ["a3", "a2"]) after.open(name);
    await next.engine.recover();
    await vi.waitFor(() => expect(after.started).toEqual(["a1"]));
    after.open("a1");
    for (const id of ids) await next.engine.settled(id);
    expect(after.started).toEqual(["a1", "a2", "a3"]);
  });

  test("the next process has what a person decided go first where it is older, and then what was under way", async () => {
    const { bench, started, open } = slowly();
    const plan: JsonObject[] = [{ _tool: "risky", _id: "ask", value: 1 }];
    const { run_id: first } = await bench.engine.start(request(plan, { user_id: "ann" }));
    await bench.engine.settled(first);
    const { run_id: second } = await bench.engine.start(request(step("second"), { user_id: "ann" }));
    await vi.waitFor(() => expect(started).toEqual(["second"]));
    await bench.decide({ decision: "approve" });
    bench.journal.crash();
    open("second");
    const after = gated();
    after.open("second");
    const next = bench.successor({
      tools: { slow: { activity: after.activity }, risky: { activity: echo, requires_confirmation: true } },
    });
    await next.engine.recover();
    for (const id of [first, second]) await next.engine.settled(id);
    expect(next.statuses(first)).toEqual({ ask: "succeeded" });
    expect(next.statuses(second)).toEqual({ only: "succeeded" });
  });

  test("a turn that a model plans begins with its user's message, and nothing of it before its turn", async () => {
    const gate = gated();
    const { model, asked } = scripted({ native: [], text: "one" }, { native: [], text: "two" });
    const bench = setupRemembering({ model, tools: { slow: { activity: gate.activity } } });
    const turn = (id: string) => ({
      plan: null,
      user_id: "ann",
      agent_id: "crm",
      conversation_id: "c",
      turn: {
        ...AGENT,
        run_id: `run-${id}`,
        message: { id, content: id },
      },
    });
    const first = await bench.engine.start(request(step("held"), { user_id: "ann", conversation_id: "c" }));
    await bench.engine.start(request(null, turn("m1")));
    await bench.engine.start(request(null, turn("m2")));
    await vi.waitFor(() => expect(gate.started).toEqual(["held"]));
    expect(asked).toEqual([]);
    const said = () => bench.events("message.created").map(({ payload }) => payload.content);
    expect(said()).toEqual(["m1", "m2"]);
    gate.open("held");
    for (const id of [first.run_id, "run-m1", "run-m2"]) await bench.engine.settled(id);
    expect(said()).toEqual(["m1", "m2", "one", "two"]);
    expect(asked[0]?.instructions).toContain("Be kind.");
    expect(asked[0]?.format).toBeNull();
    const { events } = bench.journal;
    const ends = events.flatMap(({ type }, at) => (type === "run.finished" ? [at] : []));
    const asks = events.flatMap(({ type }, at) => (type === "model.requested" ? [at] : []));
    expect(asks[1]).toBeGreaterThan(ends[1] ?? 0);
  });
});
