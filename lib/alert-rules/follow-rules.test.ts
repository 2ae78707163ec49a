import { expect, test } from "vitest";
import type { AlertRule } from "../../db/alert-rules.ts";
import { HOUR_MS } from "../rollup/place.ts";
import type { HourRow } from "./evaluate.ts";
import { evaluateRules, type RuleNeeds } from "./follow-rules.ts";

const NOON = 12 * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();

/** A store in memory with one rule, of which the rates of hours are set. */
function stored(more: Partial<AlertRule> = {}) {
  const rule: AlertRule = {
    ...{ id: "r", name: "Refunds", enabled: true, muted_until: null, state: "ok", since: iso(0), told_at: null },
    condition: {
      ...{ metric: "error_rate", operator: "above", threshold: 0.1 },
      ...{ window_hours: 1, min_count: 1, quiet_minutes: 60 },
    },
    ...{ created_at: iso(0), created_by: "anna", updated_at: iso(0), firing: null, ...more },
  };
  const told: string[] = [];
  let now = NOON;
  let rate: number | null = 0;
  let leads = true;
  let ids = 0;
  const needs: RuleNeeds = {
    alertRules: {
      list: async () => [{ ...rule }],
      measure: async (asked) =>
        asked.map(({ to }): HourRow[] => (rate === null ? [] : [{ hour: to, sum: rate * 100, count: 100 }])),
      async begin(_rule, { id, at, window_from, value, count }) {
        Object.assign(rule, { state: "firing", since: iso(at) });
        rule.firing = {
          ...{ id, rule_id: "r", started_at: iso(at), ended_at: null, window_from: iso(window_from) },
          ...{ value, peak: value, count, told_at: null },
        };
      },
      async worsen(_id, peak) {
        if (rule.firing) rule.firing.peak = peak;
      },
      async tell(id, at) {
        told.push(id);
        rule.told_at = iso(at);
        if (rule.firing) rule.firing.told_at = iso(at);
      },
      async settle(_rule, state, at) {
        Object.assign(rule, { state, since: iso(at), firing: null });
      },
    },
    replicas: { isLeader: () => leads },
    bus: { subscribe: () => () => undefined },
    prices: {},
    clock: { now: () => now, later: () => () => undefined },
    canTell: true,
    onTold: () => undefined,
    newId: () => `f${++ids}`,
    logger: { warn: () => undefined },
  };
  return {
    rule,
    told,
    lose: () => {
      leads = false;
    },
    async at(minutes: number, measured: number | null) {
      now = NOON + minutes * 60_000;
      rate = measured;
      await evaluateRules(needs);
    },
  };
}

test("a rule is told once while it fires, and again when it fires anew after the quiet time", async () => {
  const { rule, told, at } = stored();
  await at(0, 0.05);
  expect([rule.state, told]).toEqual(["ok", []]);
  await at(1, 0.2);
  await at(2, 0.3);
  await at(3, 0.2);
  expect([rule.state, rule.firing?.value, rule.firing?.peak, told]).toEqual(["firing", 0.2, 0.3, ["f1"]]);
  await at(4, 0.05);
  expect([rule.state, rule.firing]).toEqual(["ok", null]);
  await at(70, 0.2);
  expect(told).toEqual(["f1", "f2"]);
});

test("in the quiet time nothing is told; what still fires at its end is", async () => {
  const { rule, told, at } = stored({ told_at: iso(NOON) });
  await at(10, 0.2);
  expect([rule.state, told]).toEqual(["firing", []]);
  await at(59, 0.2);
  expect(told).toEqual([]);
  await at(60, 0.2);
  await at(61, 0.2);
  expect(told).toEqual(["f1"]);
});

test("a muted rule is evaluated, and told when it is not muted any more", async () => {
  const { rule, told, at } = stored({ muted_until: iso(NOON + 30 * 60_000) });
  await at(1, 0.2);
  expect([rule.state, told]).toEqual(["firing", []]);
  await at(30, 0.2);
  expect(told).toEqual(["f1"]);
});

test("a rule without data says so, and a disabled one is not evaluated", async () => {
  const { rule, at } = stored();
  await at(0, null);
  expect(rule.state).toBe("no_data");
  const off = stored({ enabled: false });
  await off.at(0, 0.9);
  expect(off.rule.state).toBe("ok");
});

test("a server that has lost the lead stores and tells nothing", async () => {
  const { rule, told, lose, at } = stored();
  lose();
  await expect(at(0, 0.9)).rejects.toThrow("Another replica");
  expect([rule.state, told]).toEqual(["ok", []]);
});
