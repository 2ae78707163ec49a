import { randomUUIDv7 } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { openRunJobs } from "../../../db/postgres/jobs/run-jobs.ts";
import type { PostgresSubject } from "../../../db/postgres/testing/subject.ts";
import { postgresSubject } from "../../../db/postgres/testing/subject.ts";
import type { Storage } from "../../../db/storage.ts";
import type { Engine, RunRequest } from "../../engine/engine.ts";
import { NotFound } from "../../engine/errors.ts";
import { createTestEngine, request, type TestTool } from "../../engine/testing/setup.ts";
import type { SessionEvent } from "../../session/event.ts";
import { createBus } from "../bus.ts";
import { wallClock } from "../wall-clock.ts";
import { createJournal } from "./journal.ts";
import { createOwnership } from "./ownership.ts";

const SILENT = { warn: () => undefined, error: () => undefined };

interface Replica {
  engine: Engine;
  storage: Storage;
  stop(): Promise<void>;
}

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop();
});

/** Replicas with the same tools on one database. */
async function replicas(count: number, tools: Record<string, TestTool>): Promise<[Replica, Replica, ...Replica[]]> {
  const subject = await postgresSubject();
  opened.push({ stop: () => subject.dispose() });
  const [first, second, ...others] = await Promise.all(
    Array.from({ length: count }, () => openReplica(subject, tools)),
  );
  if (!first || !second) throw new Error("Replicas are at least two");
  return [first, second, ...others];
}

async function openReplica(subject: PostgresSubject, tools: Record<string, TestTool>): Promise<Replica> {
  const bus = createBus();
  const storage = await subject.openReplica(bus.publish);
  const jobs = await openRunJobs(subject.url, 100, SILENT);
  const engine = createTestEngine({
    tools,
    journal: createJournal(storage.log, storage.runs, storage.conversations),
    ownership: createOwnership(jobs, { ...storage, bus, logger: SILENT }),
    clock: wallClock,
    logger: SILENT,
  });
  await engine.recover();
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= engine.stop().then(() => storage.close());
    return stopped;
  };
  opened.push({ stop });
  return { engine, storage, stop };
}

async function eventsOf({ storage }: Replica, runId: string): Promise<SessionEvent[]> {
  return storage.runs.events(runId);
}

async function until(replica: Replica, runId: string, type: string): Promise<SessionEvent[]> {
  await expect
    .poll(async () => (await eventsOf(replica, runId)).map((event) => event.type), { timeout: 30_000, interval: 50 })
    .toContain(type);
  return eventsOf(replica, runId);
}

const turn = (user: string, plan: object[], more: Partial<RunRequest> = {}): RunRequest =>
  request(JSON.parse(JSON.stringify(plan)), { user_id: user, ...more });

const typesOf = (events: readonly SessionEvent[]) => events.map(({ type }) => type);
const count = (events: readonly SessionEvent[], type: string) => typesOf(events).filter((one) => one === type).length;

describe("Replicas of an engine on one Postgres", () => {
  test("each run is carried on once, and its events are those that one process would append", async () => {
    let calls = 0;
    const echo: TestTool = {
      activity: async ({ value }) => {
        calls += 1;
        return value ?? null;
      },
    };
    const [first, second] = await replicas(2, { echo });
    const plan = [{ _tool: "echo", _id: "a", value: 1, _outputPath: "†state.a" }];
    const runs = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).engine.start(turn(`u${index % 5}`, plan))),
    );
    for (const { run_id } of runs) {
      const types = typesOf(await until(first, run_id, "run.finished")).filter((type) => type !== "run.resumed");
      expect(types).toEqual([
        ...["conversation.created", "run.started", "run.iteration", "plan.proposed", "plan.validated"],
        ...["call.started", "call.succeeded", "state.written", "run.finished"],
      ]);
    }
    expect(calls).toBe(20);
  });

  test("M11: a user's runs go on one after another, whichever replicas they are started at", async () => {
    const order: string[] = [];
    let running = 0;
    const slow: TestTool = {
      activity: async ({ value }) => {
        running += 1;
        expect(running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 50));
        running -= 1;
        order.push(String(value));
        return null;
      },
    };
    const all = await replicas(3, { slow });
    const runs: string[] = [];
    for (const [index, { engine }] of [...all, ...all].entries())
      runs.push((await engine.start(turn("anna", [{ _tool: "slow", _id: "a", value: index }]))).run_id);
    for (const id of runs) await until(all[0], id, "run.finished");
    expect(order).toEqual(["0", "1", "2", "3", "4", "5"]);
  });

  test("P22: a decision at any replica counts once, and the run goes on", async () => {
    let paid = 0;
    const pay: TestTool = { activity: async () => ++paid, requires_confirmation: true, idempotent: false };
    const [first, second, third] = await replicas(3, { pay });
    const { run_id } = await first.engine.start(turn("anna", [{ _tool: "pay", _id: "p" }], { mode: "execute" }));
    await until(first, run_id, "run.waiting");
    const [asked] = (await eventsOf(first, run_id)).filter(({ type }) => type === "confirmation.requested");
    const { confirmation_id } = JSON.parse(JSON.stringify(asked?.payload));
    const words = { reason: null, action: null, result: undefined, actor: "operator:ann" };
    const outcomes = await Promise.allSettled([
      second.engine.decide(confirmation_id, run_id, { decision: "approve", ...words }),
      (third ?? first).engine.decide(confirmation_id, run_id, { decision: "deny", ...words }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const events = await until(first, run_id, "run.finished");
    expect(count(events, "confirmation.approved") + count(events, "confirmation.denied")).toBe(1);
    expect(paid).toBe(outcomes[0]?.status === "fulfilled" ? 1 : 0);
  });

  test("P22: a decision reaches a run whose other calls are running, and interrupts none of them", async () => {
    const release = Promise.withResolvers<void>();
    let slowCalls = 0;
    const slow: TestTool = {
      idempotent: false,
      activity: async () => {
        slowCalls += 1;
        await release.promise;
        return null;
      },
    };
    const pay: TestTool = { activity: async () => 1, requires_confirmation: true };
    const [first, second] = await replicas(2, { pay, slow });
    const plan = [
      { _tool: "slow", _id: "s" },
      { _tool: "pay", _id: "p", _outputPath: "†state.paid" },
    ];
    const { run_id } = await first.engine.start(turn("anna", plan));
    await until(first, run_id, "confirmation.requested");
    const [asked] = (await eventsOf(first, run_id)).filter(({ type }) => type === "confirmation.requested");
    const { confirmation_id } = JSON.parse(JSON.stringify(asked?.payload));
    const words = { reason: null, action: null, result: undefined, actor: "operator:ann" };
    for (const { engine } of [second, first])
      await engine.decide(confirmation_id, run_id, { decision: "approve", ...words });
    await until(first, run_id, "state.written");
    release.resolve();
    await until(first, run_id, "run.finished");
    expect(slowCalls).toBe(1);
  });

  test("P24: a run is cancelled at any replica, and who carried it on stops", async () => {
    const aborted = Promise.withResolvers<void>();
    const hang: TestTool = {
      activity: (_, __, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            aborted.resolve();
            reject(signal.reason);
          }),
        ),
    };
    const all = await replicas(2, { hang });
    const { run_id } = await all[0].engine.start(turn("anna", [{ _tool: "hang", _id: "h" }]));
    await until(all[0], run_id, "call.started");
    for (const { engine } of all) await engine.cancel(run_id, "operator:ann");
    await aborted.promise;
    const events = await eventsOf(all[0], run_id);
    expect(typesOf(events).slice(-2)).toEqual(["call.cancelled", "run.cancelled"]);
    expect(count(events, "call.parked")).toBe(0);
  });

  test("who stops hands its runs on, after the calls that were running have ended", async () => {
    const calls: string[] = [];
    const step: TestTool = {
      idempotent: false,
      activity: async ({ value }) => {
        calls.push(String(value));
        await new Promise((resolve) => setTimeout(resolve, 300));
        return value ?? null;
      },
    };
    const [first, second] = await replicas(2, { step });
    const plan = ["a", "b", "c", "d"].map((id, index) => ({
      ...{ _tool: "step", _id: id, value: id, _outputPath: `†state.${id}` },
      ...(index > 0 && { after: `†state.${"abcd"[index - 1]}` }),
    }));
    const { run_id } = await first.engine.start(turn("anna", plan));
    await until(second, run_id, "call.started");
    await first.stop();
    const events = await until(second, run_id, "run.finished");
    expect(calls).toEqual(["a", "b", "c", "d"]);
    expect(count(events, "call.parked")).toBe(0);
  });

  test("D11, P24: what does not exist is nowhere, and a failed run is resumed at another replica", async () => {
    let tries = 0;
    const flaky: TestTool = {
      activity: async () => {
        tries += 1;
        if (tries === 1) throw new Error("no");
        return tries;
      },
    };
    const [first, second] = await replicas(2, { flaky });
    const { run_id } = await first.engine.start(turn("anna", [{ _tool: "flaky", _id: "f", _outputPath: "†state.f" }]));
    await until(first, run_id, "run.failed");
    await second.engine.resume(run_id, [], "operator:ann");
    await until(first, run_id, "run.finished");
    await expect(second.engine.cancel(randomUUIDv7(), "operator:ann")).rejects.toBeInstanceOf(NotFound);
  });
});
