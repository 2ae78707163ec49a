import { afterEach, describe, expect, test, vi } from "vitest";
import { type SqliteSubject, sqliteSubject } from "../../../db/sqlite/testing/subject.ts";
import type { SuiteRunRow } from "../../../db/suites.ts";
import {
  createSuiteRuns,
  type DoneTry,
  MOST_OPEN_RUNS,
  MOST_TOKENS,
  type SuiteRuns,
  type SuiteWorkers,
} from "./suite-runs.ts";

const asked = {
  ...({ suite: "refunds", agent_id: "support", version: "v", model: "m", rule: "stop", tries: 2 } as const),
  ...{ cases: ["a"], started_by: "operator:anna" },
};
const saved = {
  id: "a",
  title: "A",
  tags: [],
  conversation_id: "c",
  calls: 0,
  content: '{"id":"a"}',
  tools: [],
  users: [],
};
const done = (number: number, tokens = 1): DoneTry => ({
  ...{ case_id: "a", number, outcome: "passed", brief: "{}", result: "{}", tokens },
});
const logger = { warn: () => undefined, error: () => undefined };

const opened: SqliteSubject[] = [];
afterEach(async () => {
  for (const subject of opened.splice(0)) await subject.dispose();
});

async function runsWith(workers: SuiteWorkers, { isAlone = true, worker = "here" } = {}) {
  const subject = opened[0] ?? (await sqliteSubject());
  if (opened.length === 0) opened.push(subject);
  const store = subject.storage.suites;
  await store.addCase("refunds", saved, "operator:anna", { epoch: 0, suites: 9, cases: 9 });
  return { store, runs: createSuiteRuns({ store, workers, judges: { list: () => [] }, worker, isAlone, logger }) };
}

async function begun(runs: SuiteRuns): Promise<SuiteRunRow> {
  const run = await runs.begin(asked, {});
  if (typeof run === "string") throw new Error(`The run was not begun: ${run}`);
  return run;
}

/** A worker that waits until its run is aborted. */
const waits: SuiteWorkers = {
  work: (_order, _needs, signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
};

describe("runs of suites", () => {
  test("are carried out with the content of their cases, and keep what was done", async () => {
    const contents: (string | null)[] = [];
    const { store, runs } = await runsWith({
      async work(_order, { content, onTry }) {
        contents.push(await content("a"), await content("gone"));
        await onTry(done(1));
        await onTry(done(2));
      },
    });
    const run = await begun(runs);
    const id = run.id;
    await vi.waitFor(async () => expect(await store.run(id)).toMatchObject({ status: "finished", done: 2, total: 2 }));
    expect(contents).toEqual(['{"id":"a"}', null]);
    expect((await store.tries(id)).map(({ number }) => number)).toEqual([1, 2]);
  });

  test("go two at a time; more wait, and too many are refused", async () => {
    const { store, runs } = await runsWith(waits);
    const ids: string[] = [];
    for (let index = 0; index < MOST_OPEN_RUNS; index += 1) ids.push((await begun(runs)).id);
    expect(await runs.begin(asked, {})).toBe("full");
    const statuses = async () => (await store.runs("refunds", 50)).map(({ status }) => status);
    await vi.waitFor(async () => expect((await statuses()).filter((one) => one === "running")).toHaveLength(2));
    // When one ends, the next begins.
    await runs.cancel(ids[0] ?? "");
    await vi.waitFor(async () => expect(await store.run(ids[2] ?? "")).toMatchObject({ status: "running" }));
    await runs.stop();
    expect(new Set(await statuses())).toEqual(new Set(["interrupted", "cancelled"]));
  });

  test("are no more than may be open, also if they are begun at the same time", async () => {
    const { store, runs } = await runsWith(waits);
    const all = await Promise.all(Array.from({ length: 4 * MOST_OPEN_RUNS }, () => runs.begin(asked, {})));
    expect(all.filter((run) => run !== "full")).toHaveLength(MOST_OPEN_RUNS);
    expect(await store.runs("refunds", 50)).toHaveLength(MOST_OPEN_RUNS);
    await runs.stop();
  });

  test("are cancelled by another process through the storage", async () => {
    let stopped: unknown = null;
    const { store, runs } = await runsWith({
      async work(_order, { onTry }, signal) {
        await store.endRun(run.id, "cancelled", null);
        await onTry(done(1));
        stopped = signal.aborted;
        signal.throwIfAborted();
      },
    });
    const run = await begun(runs);
    await vi.waitFor(() => expect(stopped).toBe(true));
    expect(await store.run(run.id)).toMatchObject({ status: "cancelled", done: 0 });
  });

  test("end when they cost too much, or break off, and say why", async () => {
    const costs: SuiteWorkers = {
      async work(_order, { onTry }, signal) {
        await onTry(done(1, MOST_TOKENS + 1));
        signal.throwIfAborted();
      },
    };
    const { store, runs } = await runsWith(costs);
    const run = await begun(runs);
    await vi.waitFor(async () =>
      expect(await store.run(run.id)).toMatchObject({
        status: "failed",
        error: expect.stringContaining("tokens"),
      }),
    );
    const broken = await runsWith({ work: () => Promise.reject(new Error("The model is gone")) });
    const other = await begun(broken.runs);
    await vi.waitFor(async () =>
      expect(await store.run(other.id)).toMatchObject({ status: "failed", error: "The model is gone" }),
    );
  });

  test("that a process has left are interrupted: at once where it is alone, else when it was not seen for a while", async () => {
    const { store, runs } = await runsWith(waits, { worker: "gone" });
    const run = await begun(runs);
    const next = await runsWith(waits, { worker: "next", isAlone: false });
    await next.runs.start();
    expect((await store.run(run.id))?.status).not.toBe("interrupted");
    await next.runs.stop();
    const alone = await runsWith(waits, { worker: "alone" });
    await alone.runs.start();
    expect(await store.run(run.id)).toMatchObject({ status: "interrupted" });
    await alone.runs.stop();
    await runs.stop();
  });
});
