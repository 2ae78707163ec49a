import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { MemoryReplicas } from "../../testing/memory-replicas.ts";
import { type Bench, type SetupOptions, setup } from "../../testing/setup.ts";
import type { Activity } from "../../tools/activity.ts";

/** Two engines on one journal. The first one gets the turns, until it is lost. */
async function two(options: SetupOptions): Promise<{ first: Bench; second: Bench; replicas: MemoryReplicas }> {
  const journal = new MemoryJournal();
  const replicas = new MemoryReplicas(journal);
  const first = setup({ ...options, journal, ownership: replicas.ownership() });
  const second = setup({ ...options, journal, clock: first.clock, ownership: replicas.ownership() });
  for (const { engine, clock } of [first, second]) await clock.until(engine.recover());
  return { first, second, replicas };
}

const until = async ({ clock }: Bench, isTrue: () => boolean) => {
  while (!isTrue()) await clock.until(Promise.resolve());
};

/** An activity that ends when the test says so. */
function held() {
  const calls: { end: () => void; signal: AbortSignal }[] = [];
  const activity: Activity = (_, __, { signal }) =>
    new Promise((resolve) => calls.push({ end: () => resolve("late"), signal }));
  return { calls, activity };
}

describe("A run that another replica has taken over", () => {
  const plan: JsonObject[] = [
    { _tool: "slow", _id: "a", _outputPath: "†state.a" },
    { _tool: "next", _id: "b", after: "†state.a", _outputPath: "†state.b" },
  ];

  test("gets nothing of who had it before, whose calls end without a trace", async () => {
    const slow = held();
    let nexts = 0;
    const next: Activity = async () => ++nexts;
    const { first, replicas } = await two({
      tools: { slow: { activity: slow.activity, idempotent: false }, next: { activity: next } },
    });
    const id = await first.start(plan);
    await until(first, () => slow.calls.length === 1);
    replicas.lose({ isTold: false });
    await until(first, () => first.types.includes("confirmation.requested"));
    const { length } = first.journal.events;
    // The answer comes to who does not know yet that it has lost the run.
    slow.calls[0]?.end();
    await until(first, () => slow.calls[0]?.signal.aborted === true || first.engine.count().open === 0);
    expect(first.journal.events).toHaveLength(length);
    expect([nexts, slow.calls.length]).toEqual([0, 1]);
    expect(first.call(id, "a")).toMatchObject({ status: "parked", reason: "interrupted" });
  });

  test("is aborted where it was carried on, once that is noticed", async () => {
    const slow = held();
    const { first, replicas } = await two({ tools: { slow: { activity: slow.activity }, next: {} } });
    await first.start(plan);
    await until(first, () => slow.calls.length === 1);
    replicas.lose({ isTold: true });
    await until(first, () => slow.calls.length === 2);
    expect(slow.calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  test("starts no call of who is not sure to have it, although the start is in the log", async () => {
    const slow = held();
    let nexts = 0;
    const { first, replicas } = await two({
      tools: { slow: { activity: slow.activity }, next: { activity: async () => ++nexts, idempotent: false } },
    });
    const id = await first.start(plan);
    await until(first, () => slow.calls.length === 1);
    // Stopped for a long time, and not yet overtaken.
    replicas.doubt();
    slow.calls[0]?.end();
    await until(first, () => first.events("call.started").length === 2);
    // Whoever has the next turn, it is known that the call may have begun.
    await until(first, () => first.types.includes("confirmation.requested"));
    expect(first.call(id, "b")).toMatchObject({ status: "parked", reason: "interrupted" });
    expect(nexts).toBe(0);
  });

  test("P22: a decision at one that does not carry it on reaches who does", async () => {
    const { first, second } = await two({
      tools: { pay: { activity: async () => "paid", requires_confirmation: true } },
    });
    const id = await first.start([{ _tool: "pay", _id: "p", _outputPath: "†state.p" }]);
    await until(first, () => first.types.includes("run.waiting"));
    await second.decide({ decision: "approve" });
    await expect(first.decide({ decision: "deny" })).rejects.toThrow();
    await until(first, () => first.types.includes("run.finished"));
    expect(first.state(id)).toEqual({ p: "paid" });
    expect(first.events("confirmation.approved")).toHaveLength(1);
  });
});
