import { expect, test } from "vitest";
import { setup } from "../../testing/setup.ts";
import { type Activity, ActivityError } from "../../tools/activity.ts";

const PLAN = [{ _tool: "export", _id: "export" }];
const HOUR = 3_600_000;

type Report = Parameters<Activity>[2]["report"];

/** A run of one call; `work` reports, and lets time pass by `pause`. */
async function runOf(work: (report: Report, pause: (ms: number) => Promise<void>) => Promise<void>, retries = 0) {
  const bench = setup({
    tools: {
      export: {
        retries,
        timeout_ms: 10 * HOUR,
        activity: async (_params, _scopes, { report }) => {
          await work(report, (ms) => new Promise((resolve) => void bench.clock.later(ms, resolve)));
          return "done";
        },
      },
    },
  });
  const id = await bench.run(PLAN);
  expect(bench.statuses(id)).toEqual({ export: "succeeded" });
  return { bench, told: bench.events("call.progressed") };
}

test("progress of a call is told while it runs, and nothing else comes of it", async () => {
  const { bench, told } = await runOf(async (report, pause) => {
    report({ part: 0.25, message: "Reading" });
    await pause(1_000);
    report({ part: 0.5 });
    await pause(1_000);
  });
  const place = { call_id: "export", iteration: 1, tool: "export", attempt: 1 };
  expect(told.map(({ payload }) => payload)).toEqual([
    { ...place, progress: 0.25, message: "Reading" },
    { ...place, progress: 0.5, message: "Reading" },
  ]);
  const started = bench.events("call.started")[0]?.id;
  expect(told.map(({ actor, caused_by }) => [actor, caused_by])).toEqual(told.map(() => ["tool:export", started]));
  expect(bench.events("call.succeeded")[0]?.caused_by).toBe(started);
});

test("Security: a million reports at once are two events at most", async () => {
  const { told } = await runOf(async (report) => {
    for (let row = 0; row < 1_000_000; row += 1) report({ part: row / 1_000_000, message: `Row ${row}` });
  });
  expect(told.length).toBeLessThanOrEqual(2);
});

test("Security: a tool that chats for half an hour makes 201 events at most, two a second at most, and is told to its end", async () => {
  const { told } = await runOf(async (report, pause) => {
    for (let row = 0; row < 18_000; row += 1) {
      report({ part: row / 18_000, message: `Row ${row}` });
      await pause(100);
    }
    await pause(1_000);
  });
  const times = told.map(({ occurred_at }) => Date.parse(occurred_at ?? ""));
  expect(told.length).toBeGreaterThan(100);
  expect(told.length).toBeLessThanOrEqual(201);
  expect(Math.min(...times.slice(1).map((time, i) => time - (times[i] ?? 0)))).toBeGreaterThanOrEqual(500);
  expect(told.at(-1)?.payload.progress).toBeGreaterThan(0.97);
});

test.each([
  ["what is no number", [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], []],
  ["what lies beyond the ends", [-5, 7], [0, 1]],
  ["what goes backwards", [0.5, 0.2, 0.4], [0.5]],
  ["less than a step forward", [0.5, 0.501, 0.509, 0.52], [0.5, 0.52]],
])("Security: %s reaches neither log nor readers", async (_what, parts, recorded) => {
  const { told } = await runOf(async (report, pause) => {
    for (const part of parts) {
      report({ part });
      await pause(1_000);
    }
  });
  expect(told.map(({ payload }) => payload.progress)).toEqual(recorded);
});

test("Security: what a tool says is one line, cut, and Unicode", async () => {
  const { told } = await runOf(async (report, pause) => {
    report({ message: `a\n\u0000b${"x".repeat(495)}😀${"y".repeat(1_000_000)}` });
    await pause(1);
  });
  const message = told[0]?.payload.message ?? "";
  expect(message.startsWith("a bxxx")).toBe(true);
  expect(message.length).toBeLessThanOrEqual(500);
  expect(message.isWellFormed()).toBe(true);
});

test("a try that is over tells nothing any more", async () => {
  const late: (() => void)[] = [];
  const { bench, told } = await runOf(async (report, pause) => {
    for (const report of late) report();
    report({ part: 0.5 });
    late.push(() => report({ part: 1 }));
    await pause(1_000);
    if (late.length === 1) throw new ActivityError("http_503", "Away", { transient: true });
  }, 1);
  for (const report of late) report();
  expect(told.map(({ payload }) => [payload.attempt, payload.progress])).toEqual([
    [1, 0.5],
    [2, 0.5],
  ]);
  expect(bench.events("call.progressed")).toHaveLength(2);
});
