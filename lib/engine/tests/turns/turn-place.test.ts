import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import type { RunRequest } from "../../engine.ts";
import { gated, setupRemembering } from "../../testing/remembering.ts";
import { echo, request } from "../../testing/setup.ts";
import { ActivityError } from "../../tools/activity.ts";

const ANN = { user_id: "ann" };
const slow = (name: string, more: JsonObject = {}) => ({ _tool: "slow", _id: name, name, ...more });
const risky = (id: string) => ({ _tool: "risky", _id: id, value: id, _outputPath: `†state.${id}` });

function bench() {
  const gate = gated();
  const made = setupRemembering({
    tools: {
      slow: { activity: gate.activity },
      risky: { activity: echo, requires_confirmation: true },
      echo: { activity: echo },
    },
    delegates: [{ name: "careful", plan: [slow("inner")] }],
  });
  const start = async (plan: JsonObject[], more: Partial<RunRequest> = ANN) =>
    (await made.engine.start(request(plan, more))).run_id;
  return { bench: made, start, ...gate };
}

describe("M11: the place among a user's turns", () => {
  test("is kept while a delegate's run goes on that had waited for a person", async () => {
    const { bench: made, start, started, open } = bench();
    const first = await start([{ _tool: "echo", _id: "hand", _delegate: "careful" }], {
      ...ANN,
      mode: "confirm",
      confirm: ["slow"],
    });
    await made.engine.settled(first);
    await made.decide({ decision: "approve" });
    await vi.waitFor(() => expect(started).toEqual(["inner"]));
    const second = await start([slow("second")]);
    expect(made.runOf(second).status).toBe("queued");
    open("inner");
    await vi.waitFor(() => expect(started).toEqual(["inner", "second"]));
    expect(made.runOf(first).status).toBe("finished");
    open("second");
    await made.engine.settled(second);
  });

  test("two calls that are decided while another turn is under way start one after another turn, both once", async () => {
    const { bench: made, start, started, open } = bench();
    const first = await start([risky("a"), risky("b"), slow("after", { of: ["†state.a", "†state.b"] })]);
    await made.engine.settled(first);
    const second = await start([slow("second")]);
    await vi.waitFor(() => expect(started).toEqual(["second"]));
    await made.decide({ decision: "approve" }, "b");
    await made.decide({ decision: "approve" }, "a");
    expect(made.statuses(first)).toEqual({ a: "parked", b: "parked", after: "planned" });
    const third = await start([slow("third")]);
    for (const name of ["second", "after", "third"]) open(name);
    for (const id of [second, first, third]) await made.engine.settled(id);
    await vi.waitFor(() => expect(started).toEqual(["second", "after", "third"]));
    await made.engine.settled(third);
    expect(made.statuses(first)).toEqual({ a: "succeeded", b: "succeeded", after: "succeeded" });
    const starts = made.events("call.started").map(({ payload }) => payload.call_id);
    expect(starts).toEqual(["second", "b", "a", "after", "third"]);
  });

  test("is left by a run that is cancelled while what was approved waits for it", async () => {
    const { bench: made, start, started, open } = bench();
    const first = await start([risky("a"), risky("b")]);
    await made.engine.settled(first);
    const second = await start([slow("second")]);
    const third = await start([slow("third")]);
    await vi.waitFor(() => expect(started).toEqual(["second"]));
    await made.decide({ decision: "approve" }, "a");
    await made.engine.cancel(first, "operator:ann");
    expect(made.statuses(first)).toEqual({ a: "cancelled", b: "cancelled" });
    for (const name of ["second", "third"]) open(name);
    for (const id of [second, third]) await made.engine.settled(id);
    expect(started).toEqual(["second", "third"]);
    expect(made.events("call.started").map(({ payload }) => payload.call_id)).toEqual(["second", "third"]);
  });

  test("is waited for by a failed run that a person resumes: it is queued, and that time is not its own", async () => {
    const gate = gated();
    let isDown = true;
    const flaky = async () => {
      if (isDown) throw new ActivityError("down", "It is down");
      return 1;
    };
    const made = setupRemembering({ tools: { slow: { activity: gate.activity }, flaky: { activity: flaky } } });
    const first = await made.run([{ _tool: "flaky", _id: "a" }], { ...ANN, budget: { time_ms: 1_000 } });
    expect(made.runOf(first).status).toBe("failed");
    const { run_id: second } = await made.engine.start(request([slow("second")], ANN));
    await vi.waitFor(() => expect(gate.started).toEqual(["second"]));
    isDown = false;
    await made.engine.resume(first, [], "operator:ann");
    expect(made.runOf(first).status).toBe("queued");
    await made.clock.until(made.clock.sleep(5_000));
    expect(made.statuses(first)).toEqual({ a: "planned" });
    gate.open("second");
    for (const id of [second, first]) await made.settle(id);
    expect(made.runOf(first)).toMatchObject({ status: "finished" });
    expect(made.events("run.resumed").map(({ payload }) => payload.reason)).toEqual([
      "Resumed by operator:ann",
      "Dequeued",
    ]);
  });

  test("is waited for without using up the time of the run", async () => {
    const { bench: made, start, started, open } = bench();
    const first = await start([slow("first")]);
    const second = await start([slow("second")], { ...ANN, budget: { time_ms: 1_000 } });
    await made.clock.until(made.clock.sleep(5_000));
    for (const name of ["first", "second"]) open(name);
    for (const id of [first, second]) await made.settle(id);
    expect(started).toEqual(["first", "second"]);
    expect(made.runOf(second)).toMatchObject({ status: "finished", error: null });
  });

  test("comes to a queued run once, though it is cancelled in that moment", async () => {
    const { bench: made, start, started, open } = bench();
    const first = await start([slow("first")]);
    const second = await start([slow("second")]);
    const third = await start([slow("third")]);
    await vi.waitFor(() => expect(started).toEqual(["first"]));
    open("first");
    open("third");
    // The end of the first and the cancel of the second come in the same moment, in whatever order.
    await made.engine.cancel(second, "operator:ann");
    for (const id of [first, third]) await made.engine.settled(id);
    await vi.waitFor(() => expect(made.events("run.finished")).toHaveLength(2));
    expect(started).toEqual(["first", "third"]);
    expect(made.runOf(second).status).toBe("cancelled");
  });

  test("P23: of a process that was killed is taken again by what was queued, wherever the log ends", async () => {
    const whole = bench();
    const plans = () => [[risky("a")], [slow("second")], [slow("third")]];
    const play = async ({ bench: made, start, open }: ReturnType<typeof bench>) => {
      for (const name of ["second", "third"]) open(name);
      const ids = [];
      for (const plan of plans()) ids.push(await start(plan));
      await made.engine.settled(ids[0] ?? "");
      await made.decide({ decision: "approve" });
      for (const id of ids) await made.engine.settled(id);
      await vi.waitFor(() => expect(made.events("run.finished")).toHaveLength(3));
    };
    await play(whole);
    const { events } = whole.bench.journal;
    for (let count = 1; count < events.length; count++) {
      const crashed = bench();
      crashed.bench.journal.crashAfter(count);
      void play(crashed).catch(() => undefined);
      await vi.waitFor(() => expect(crashed.bench.journal.hasCrashed).toBe(true));
      const gate = gated();
      for (const name of ["second", "third"]) gate.open(name);
      const next = crashed.bench.successor({
        tools: { slow: { activity: gate.activity }, risky: { activity: echo, requires_confirmation: true } },
      });
      await next.engine.recover();
      const begun = next.events("run.started").map(({ run_id }) => run_id ?? "");
      for (const id of begun) await next.settle(id);
      await next.approveAll();
      await vi.waitFor(() =>
        expect(
          begun.map((id) => next.runOf(id).status),
          `after ${count}`,
        ).toEqual(begun.map(() => "finished")),
      );
    }
  });
});
