import { expect, test, vi } from "vitest";
import type { AlertRule } from "../../db/alert-rules.ts";
import { HOUR_MS } from "../rollup/place.ts";
import type { HourRow } from "./evaluate.ts";
import { evaluateRules, followRules, type RuleNeeds } from "./follow-rules.ts";

const NOON = 12 * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();

/** A store in memory with one rule, of which the rates of hours are set. */
function stored(more: Partial<AlertRule> = {}, other: Partial<Pick<RuleNeeds, "canTell" | "onTold">> = {}) {
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
    replicas: { isLeader: () => leads, tell: () => undefined, hear: () => undefined },
    bus: { subscribe: () => () => undefined },
    prices: {},
    clock: { now: () => now, later: () => () => undefined },
    canTell: true,
    onTold: () => undefined,
    newId: () => `f${++ids}`,
    logger: { warn: () => undefined },
    ...other,
  };
  return {
    rule,
    told,
    needs,
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

test("a rule that has to hold is pending until it has, and begins anew when it did not", async () => {
  const { rule, told, at } = stored();
  rule.condition = { ...rule.condition, for_minutes: 10 };
  await at(0, 0.2);
  await at(9, 0.2);
  expect([rule.state, told]).toEqual(["pending", []]);
  await at(9.5, 0.05);
  await at(10, 0.2);
  expect([rule.state, told]).toEqual(["pending", []]);
  await at(20, 0.2);
  expect([rule.state, told]).toEqual(["firing", ["f1"]]);
});

test("without a channel a rule fires, and is not told", async () => {
  const { rule, told, at } = stored({}, { canTell: false });
  await at(0, 0.2);
  expect([rule.state, rule.told_at, told]).toEqual(["firing", null, []]);
});

test("the end of a firing is told if its beginning was", async () => {
  let news = 0;
  const { at } = stored({}, { onTold: () => (news += 1) });
  await at(0, 0.2);
  await at(12, 0.05);
  expect(news).toBe(2);
  const muted = stored({ muted_until: iso(NOON + 3_600_000) }, { onTold: () => (news += 1) });
  await muted.at(0, 0.2);
  await muted.at(12, 0.05);
  expect(news).toBe(2);
});

test("a changed rule is evaluated at once, also one that changes while rules are evaluated, and others are told", async () => {
  const { needs } = stored();
  const timers: { ms: number; act: () => void }[] = [];
  const measured: PromiseWithResolvers<void>[] = [];
  const others: string[] = [];
  let news = 0;
  const follower = followRules({
    ...needs,
    alertRules: {
      ...needs.alertRules,
      async measure() {
        const one = Promise.withResolvers<void>();
        measured.push(one);
        await one.promise;
        return [];
      },
    },
    clock: {
      now: () => NOON,
      later(ms, act) {
        const timer = { ms, act };
        timers.push(timer);
        return () => timers.splice(timers.indexOf(timer), 1);
      },
    },
    replicas: { ...needs.replicas, tell: (topic) => others.push(topic) },
    onTold: () => (news += 1),
  });
  const evaluate = async () => {
    timers.shift()?.act();
    await vi.waitFor(() => expect(measured).toHaveLength(1));
    return () => measured.shift()?.resolve();
  };
  await follower.start();
  follower.ruleChanged();
  expect(timers.map(({ ms }) => ms)).toEqual([200]);
  const end = await evaluate();
  follower.ruleChanged();
  end();
  await vi.waitFor(() => expect(timers.map(({ ms }) => ms)).toEqual([200]));
  (await evaluate())();
  await vi.waitFor(() => expect(timers.map(({ ms }) => ms)).toEqual([60_000]));
  expect(others).toEqual(["alert-rules", "alert-rules"]);
  // A firing that a change has ended is to be told as ended.
  expect(news).toBe(2);
  await follower.stop();
});
