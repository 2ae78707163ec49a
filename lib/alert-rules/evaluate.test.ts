import { describe, expect, test } from "vitest";
import { HOUR_MS } from "../rollup/place.ts";
import { addressOf } from "./address.ts";
import { backtest, evaluate, type HourRow, stateOf } from "./evaluate.ts";
import type { Condition } from "./rule.ts";
import { condition as schema } from "./rule-schema.ts";
import { returnedHours, waitingHours } from "./spans.ts";

const RATE: Condition = {
  ...{ metric: "error_rate", operator: "above", threshold: 0.1 },
  ...{ window_hours: 1, min_count: 10, quiet_minutes: 0 },
};

function rows(...counts: [hour: number, sum: number, count: number][]): Map<number, HourRow> {
  return new Map(counts.map(([hour, sum, count]) => [hour, { hour, sum, count }]));
}

describe("the value of a rule", () => {
  test("is that of its window: the running hour and those before it", () => {
    const hours = rows([1, 8, 10], [2, 1, 10], [3, 0, 20]);
    expect(evaluate(RATE, hours, 2)).toEqual({ value: 0.1, count: 10, from: 2 });
    expect(evaluate({ ...RATE, window_hours: 3 }, hours, 3)).toEqual({ value: 9 / 40, count: 40, from: 1 });
    expect(stateOf(RATE, { value: 0.1 })).toBe("ok");
    expect(stateOf(RATE, { value: 0.11 })).toBe("firing");
    expect(stateOf({ ...RATE, operator: "below", threshold: 3 }, { value: 2.9 })).toBe("firing");
  });

  test("is that of the hour before while the running one has too little to tell, and then nothing", () => {
    const hours = rows([1, 8, 10], [2, 1, 1]);
    expect(evaluate(RATE, hours, 2)).toMatchObject({ value: 0.8, from: 1 });
    expect(evaluate(RATE, hours, 3)).toMatchObject({ value: null });
    expect(stateOf(RATE, evaluate(RATE, hours, 3))).toBe("no_data");
  });

  test("of costs is their sum, of scores their average, of what waits the longest as of now", () => {
    const hours = rows([1, 6, 2], [2, 3, 1]);
    expect(evaluate({ ...RATE, metric: "cost", window_hours: 3 }, hours, 2).value).toBe(9);
    expect(evaluate({ ...RATE, metric: "score", window_hours: 3, min_count: 1 }, hours, 2).value).toBe(3);
    expect(evaluate({ ...RATE, metric: "approval_wait" }, hours, 2).value).toBe(3);
    expect(evaluate({ ...RATE, metric: "approval_wait" }, hours, 3).value).toBe(0);
  });
});

test("on the past, a rule that has to hold fires in the hour in which it has", () => {
  const rows = [5, 0, 5, 5, 5].map((sum, hour): HourRow => ({ hour, sum, count: 10 }));
  const past = backtest({ ...RATE, for_minutes: 120 }, rows, 0, 4);
  expect(past.firings.map(({ at }) => at)).toEqual([4 * HOUR_MS]);
});

describe("on the past", () => {
  const busy = [0, 5, 5, 0, 5, 0, 0, 0, 7].map((sum, hour): HourRow => ({ hour, sum, count: 10 }));

  test("a rule fires once for each time in a row, and the last one may still last", () => {
    const past = backtest(RATE, busy, 0, 8);
    expect(past.points.map(({ value }) => value)).toEqual([0, 0.5, 0.5, 0, 0.5, 0, 0, 0, 0.7]);
    expect(past.firings).toEqual([
      { at: HOUR_MS, until: 3 * HOUR_MS, peak: 0.5, isTold: true },
      { at: 4 * HOUR_MS, until: 5 * HOUR_MS, peak: 0.5, isTold: true },
      { at: 8 * HOUR_MS, until: null, peak: 0.7, isTold: true },
    ]);
    expect(past.told).toBe(3);
  });

  test("nothing is told in the quiet time, but what still fires after it is", () => {
    const quiet = backtest({ ...RATE, quiet_minutes: 240 }, busy, 0, 8);
    expect(quiet.firings.map(({ isTold }) => isTold)).toEqual([true, false, true]);
    const long = [0, 5, 0, 5, 5, 5].map((sum, hour): HourRow => ({ hour, sum, count: 10 }));
    const told = backtest({ ...RATE, quiet_minutes: 180 }, long, 0, 5);
    expect([told.told, told.firings.length]).toEqual([2, 2]);
  });
});

describe("what is measured by the hour", () => {
  const H = HOUR_MS;

  test("of what waits is how long it had waited by the end of each hour, and by now", () => {
    const spans = [
      { from: 0.5 * H, to: 2.5 * H },
      { from: 2 * H, to: null },
    ];
    expect(waitingHours(spans, 1, 9, 3.25 * H)).toEqual([
      { hour: 1, sum: 90, count: 1 },
      { hour: 2, sum: 120, count: 2 },
      { hour: 3, sum: 75, count: 1 },
    ]);
  });

  test("of errors that come back is how many days they were gone", () => {
    const seen = [
      { kind: "a", at: 72 * H },
      { kind: "b", at: 71 * H },
      { kind: "a", at: 24 * H },
      { kind: "a", at: 0 },
    ];
    expect(returnedHours(seen, 48)).toEqual([{ hour: 72, sum: 2, count: 1 }]);
  });
});

test.each([
  [{ metric: "score", threshold: 3 }, "score", "is required"],
  [{ metric: "error_returned", threshold: 7 }, "tool", "is required"],
  [{ metric: "error_rate", threshold: 5 }, "threshold", "share"],
  [{ metric: "cost", threshold: 5, tool: "refund" }, "tool", "cannot narrow cost"],
  [{ metric: "cost", threshold: 5, operator: "below" }, "operator", "only with the metric score"],
  [{ metric: "cost", threshold: 5, window_hours: 2 }, "window_hours", ""],
])("a condition that cannot be meant is refused: %j", (given, path, message) => {
  const fault = schema.safeParse(given).error?.issues[0];
  expect([fault?.path[0], fault?.message]).toEqual([path, expect.stringContaining(message)]);
});

test("the address shows exactly what was counted, by whole hours", () => {
  const condition = { ...RATE, tool: "refund", agent: "support", version: "2.8.0" };
  expect(addressOf(condition, 10 * HOUR_MS, 11.5 * HOUR_MS)).toBe(
    "/?happened=failed_call&agent=support&version=2.8.0&tool=refund&since=1970-01-01T10%3A00%3A00.000Z&until=1970-01-01T12%3A00%3A00.000Z",
  );
  expect(addressOf({ ...RATE, metric: "score", score: "tone", operator: "below", threshold: 3 }, 0, 1)).toBe(
    "/?score=tone&scored_since=1970-01-01T00%3A00%3A00.000Z&scored_until=1970-01-01T01%3A00%3A00.000Z",
  );
  expect(addressOf({ ...RATE, metric: "cost", threshold: 5, model: "m" }, 0, 1)).toBe(
    "/?happened=cost&model=m&since=1970-01-01T00%3A00%3A00.000Z&until=1970-01-01T01%3A00%3A00.000Z",
  );
  expect(addressOf({ ...RATE, metric: "approval_wait" }, 0, 1)).toBe("/approvals");
});
