import { describe, expect, test } from "vitest";
import { evaluate } from "../../lib/alert-rules/evaluate.ts";
import { type Condition, KEPT_FIRINGS } from "../../lib/alert-rules/rule.ts";
import type { NewRule } from "../alert-rules.ts";
import { conversation, counted } from "./rollup/counted.ts";
import { eachTime, type MakeSubject, newEvent } from "./subject.ts";

const ANNA = "operator:anna";
const HOUR_MS = 3_600_000;
const BEGIN = Date.parse("2026-11-20T09:00:00.000Z");
const HOUR = BEGIN / HOUR_MS;
const PRICES = { m: { input: 1, output: 2, currency: "USD" } };

const USUAL: Condition = {
  ...{ metric: "error_rate", operator: "above", threshold: 0.05 },
  ...{ window_hours: 1, min_count: 1, quiet_minutes: 60 },
};

function ruleOf(id: string, more: Partial<NewRule> = {}): NewRule {
  return { id, name: `Rule ${id}`, condition: USUAL, enabled: true, by: ANNA, ...more };
}

/** The contract of `AlertRuleStore`, and of the notifications about rules. */
export function alertRulesContract(make: MakeSubject): void {
  describe("Alert rules", () => {
    const subject = eachTime(make);
    const store = () => subject().storage.alertRules;
    const read = async (id: string) => {
      const rule = await store().get(id);
      if (!rule) throw new Error(`There is no rule ${id}`);
      return rule;
    };
    const fire = async (id: string, firing: string, at: number) =>
      store().begin(await read(id), { id: firing, at, window_from: at - HOUR_MS, value: 0.25, count: 40 });

    test("have a name of their own, up to a number of them, and are changed and removed", async () => {
      expect(await store().add(ruleOf("b"), 2)).toBe("added");
      expect(await store().add(ruleOf("a"), 2)).toBe("added");
      expect(await store().add(ruleOf("c", { name: "Rule a" }), 3)).toBe("taken");
      expect(await store().add(ruleOf("c"), 2)).toBe("full");
      expect(await store().change({ ...ruleOf("a"), name: "Rule b" })).toBe("taken");
      const condition: Condition = { ...USUAL, tool: "refund", threshold: 0.2 };
      expect(await store().change({ ...ruleOf("a", { condition, enabled: false }), name: "Refunds" })).toBe("changed");
      expect(await store().change(ruleOf("x"))).toBeNull();
      await subject().reopen();
      expect(await store().list()).toMatchObject([
        { id: "a", name: "Refunds", condition, enabled: false, created_by: ANNA, state: "new", firing: null },
        { id: "b", name: "Rule b", condition: USUAL, enabled: true, muted_until: null, told_at: null },
      ]);
      expect([await store().remove("a"), await store().remove("a"), await store().get("a")]).toEqual([
        true,
        false,
        null,
      ]);
    });

    test("A firing begins once, is kept with its worst value, and ends with the rule's state", async () => {
      await store().add(ruleOf("a"), 9);
      const before = await read("a");
      await fire("a", "f1", BEGIN);
      await store().begin(before, { id: "f2", at: BEGIN, window_from: BEGIN, value: 1, count: 1 });
      await store().worsen("f1", 0.5);
      await subject().reopen();
      expect(await read("a")).toMatchObject({
        state: "firing",
        since: "2026-11-20T09:00:00.000Z",
        firing: { id: "f1", value: 0.25, peak: 0.5, count: 40, ended_at: null, told_at: null },
      });
      await store().settle(await read("a"), "ok", BEGIN + HOUR_MS);
      expect(await read("a")).toMatchObject({ state: "ok", since: "2026-11-20T10:00:00.000Z", firing: null });
      expect(await store().firings("a", 9)).toMatchObject([{ id: "f1", ended_at: "2026-11-20T10:00:00.000Z" }]);
      await store().remove("a");
      expect(await store().firings("a", 9)).toEqual([]);
    });

    test("What was read of a rule before it was changed changes nothing; a changed rule begins anew", async () => {
      await store().add(ruleOf("a"), 9);
      await fire("a", "f1", BEGIN);
      const before = { ...(await read("a")), updated_at: "2026-01-01T00:00:00.000Z" };
      await store().settle(before, "no_data", BEGIN);
      expect(await read("a")).toMatchObject({ state: "firing", firing: { id: "f1" } });
      await store().change(ruleOf("a", { name: "Other" }));
      expect(await read("a")).toMatchObject({ state: "firing", firing: { id: "f1" } });
      await store().change(ruleOf("a", { condition: { ...USUAL, threshold: 0.9 } }));
      expect(await read("a")).toMatchObject({ state: "new", firing: null });
    });

    test("The oldest firings are forgotten", async () => {
      await store().add(ruleOf("a"), 9);
      for (let index = 0; index <= KEPT_FIRINGS; index += 1) {
        await fire("a", `f${index}`, BEGIN + index * HOUR_MS);
        await store().settle(await read("a"), "ok", BEGIN + index * HOUR_MS + 1);
      }
      const kept = await store().firings("a", 999);
      expect([kept.length, kept.at(-1)?.id]).toEqual([KEPT_FIRINGS, "f1"]);
    });

    test("A firing is sent once by each channel, also after it has ended; and reminded of while it lasts", async () => {
      const { notices } = subject().storage;
      await notices.follow("mail");
      await store().add(ruleOf("a", { name: "Refunds fail" }), 9);
      await fire("a", "f1", BEGIN);
      for (let time = 0; time < 2; time += 1) await store().tell("f1", BEGIN + 5);
      expect(await read("a")).toMatchObject({ told_at: "2026-11-20T09:00:00.005Z" });
      const message = await notices.take("mail", BEGIN + 10, "n");
      expect(message).toMatchObject({ id: "n", counts: { rule: 1, alert: 0 } });
      expect(message?.notices).toEqual([
        {
          ...{ kind: "rule", id: "f1", number: 0, conversation_id: null, title: null, agent_id: null },
          ...{ since: "2026-11-20T09:00:00.000Z", method: null, text: null },
          rule: {
            ...{ id: "a", name: "Refunds fail", condition: USUAL, value: 0.25, count: 40 },
            ...{ from: BEGIN - HOUR_MS, at: BEGIN },
          },
        },
      ]);
      // A crash before it is known to be sent: the same message again, and no other.
      await subject().reopen();
      await store().tell("f1", BEGIN + 20);
      const again = await subject().storage.notices.take("mail", BEGIN + 30, "other");
      expect([again?.id, again?.notices.length]).toEqual(["n", 1]);
      const sent = { at: BEGIN + 30, again: BEGIN + HOUR_MS, most: 3 };
      await subject().storage.notices.sent("mail", "n", sent);
      expect(await subject().storage.notices.take("mail", BEGIN + 40, "x")).toBeNull();
      expect((await subject().storage.notices.take("mail", BEGIN + HOUR_MS, "r"))?.notices).toMatchObject([
        { id: "f1", number: 1 },
      ]);
      await store().settle(await read("a"), "ok", BEGIN + HOUR_MS);
      await subject().storage.notices.failed("mail", "r", "gone");
      // The reminder is dropped; that it has ended is told once.
      expect((await subject().storage.notices.take("mail", BEGIN + HOUR_MS, "e"))?.notices).toMatchObject([
        { id: "f1", number: -1, rule: { at: BEGIN, ended: BEGIN + HOUR_MS } },
      ]);
      await subject().storage.notices.sent("mail", "e", { at: BEGIN + HOUR_MS, again: BEGIN + HOUR_MS, most: 3 });
      expect(await subject().storage.notices.take("mail", BEGIN + HOUR_MS, "x")).toBeNull();
      // One that ended before it was sent is told all the same.
      await fire("a", "f2", BEGIN + 2 * HOUR_MS);
      await store().tell("f2", BEGIN + 2 * HOUR_MS);
      await store().settle(await read("a"), "ok", BEGIN + 2 * HOUR_MS);
      const both = await subject().storage.notices.take("mail", BEGIN + 2 * HOUR_MS, "m");
      expect(both?.notices.map(({ id, number }) => [id, number]).sort()).toEqual([
        ["f2", -1],
        ["f2", 0],
      ]);
      await store().remove("a");
      expect(await subject().storage.notices.take("mail", BEGIN + 2 * HOUR_MS, "m")).toBeNull();
    });

    test("A firing that a change of its rule ends is not told any more, or told as ended where it was told", async () => {
      const notices = () => subject().storage.notices;
      await notices().follow("mail");
      await notices().follow("chat");
      await store().add(ruleOf("a"), 9);
      await fire("a", "f1", BEGIN);
      await store().tell("f1", BEGIN);
      await notices().take("mail", BEGIN, "m");
      await notices().sent("mail", "m", { at: BEGIN, again: BEGIN + HOUR_MS, most: 3 });
      await store().change(ruleOf("a", { condition: { ...USUAL, threshold: 0.9 } }));
      const now = Date.now() + HOUR_MS;
      const ended = { id: "f1", number: -1, rule: { condition: USUAL } };
      expect((await notices().take("mail", now, "e"))?.notices).toMatchObject([ended]);
      expect(await notices().take("chat", now, "c")).toBeNull();
    });

    test("A message that is being sent tells of the condition by which the rule fired, also if it is sent again", async () => {
      const notices = () => subject().storage.notices;
      await notices().follow("mail");
      await store().add(ruleOf("a"), 9);
      await fire("a", "f1", BEGIN);
      await store().tell("f1", BEGIN);
      const first = await notices().take("mail", BEGIN, "m");
      await notices().failed("mail", "m", "gone");
      await store().change(ruleOf("a", { condition: { ...USUAL, threshold: 0.9 } }));
      expect((await notices().take("mail", BEGIN + 1, "m"))?.notices).toMatchObject([
        { id: "f1", number: 0, rule: { condition: first?.notices[0]?.rule?.condition } },
      ]);
    });

    const measure = async (more: Partial<Condition>, now: number, from = HOUR - 2) => {
      const condition = { ...USUAL, ...more };
      const to = Math.floor(now / HOUR_MS);
      const [rows = []] = await store().measure([{ condition, from, to }], now, PRICES);
      return rows.toSorted((one, other) => one.hour - other.hour);
    };

    test("are measured by the hour, narrowed as the overview is", async () => {
      const { storage } = subject();
      await storage.log.append([
        ...conversation({ id: "a", fails: true }),
        ...conversation({ id: "b", version: "2" }),
        ...conversation({ id: "c", hour: 1, channel: "telegram" }),
        ...conversation({ id: "d", hour: 1, agent: "sales", tool: "offer", fails: true }),
      ]);
      await counted(storage);
      const now = BEGIN + 1.5 * HOUR_MS;
      const of = (...counts: [number, number, number][]) =>
        counts.map(([after, sum, count]) => ({ hour: HOUR + after, sum, count }));
      expect(await measure({}, now)).toEqual(of([0, 1, 2], [1, 1, 2]));
      expect(await measure({ agent: "support" }, now)).toEqual(of([0, 1, 2], [1, 0, 1]));
      expect(await measure({ agent: "support", version: "2" }, now)).toEqual(of([0, 0, 1]));
      expect(await measure({ tool: "refund" }, now)).toEqual(of([0, 1, 2], [1, 0, 1]));
      expect(await measure({ channel: "telegram" }, now)).toEqual(of([1, 0, 1]));
      expect(await measure({ model: "m" }, now)).toEqual(of([0, 1, 2], [1, 1, 2]));
      const costs = await measure({ metric: "cost", agent: "support" }, now);
      expect(costs.map(({ hour, sum }) => [hour - HOUR, sum])).toEqual([
        [0, expect.closeTo(0.0024, 9)],
        [1, expect.closeTo(0.0012, 9)],
      ]);
      expect(await measure({ tool: "nothing" }, now)).toEqual([]);
      // Several at once, in the order in which they were asked.
      const asked = [{ ...USUAL, tool: "offer" }, USUAL].map((condition) => ({
        condition,
        from: HOUR + 1,
        to: HOUR + 1,
      }));
      expect(await store().measure(asked, now, PRICES)).toEqual([of([1, 1, 1]), of([1, 1, 2])]);
    });

    test("Scores are measured by their name", async () => {
      const { storage } = subject();
      await storage.log.append(conversation({ id: "a" }));
      const target = { seq: null, run_id: null, call_id: null, comment: null, by: null };
      for (const [name, value] of [
        ["good", true],
        ["good", false],
        ["tone", 4],
        ["tone", "rude"],
        // Their sum would be none; as in the overview, they count nowhere.
        ["far", 1.7e308],
        ["far", 1.6e308],
      ] as const)
        await storage.scores.put("a", {
          ...target,
          ...{ name, value, source: value === true || value === 4 || value === 1.7e308 ? "person" : "program" },
        });
      const now = Date.now();
      const from = Math.floor(now / HOUR_MS) - 1;
      const sums = async (more: Partial<Condition>) => {
        const rows = await measure({ metric: "score", ...more }, now + HOUR_MS, from);
        return rows.map(({ sum, count }) => [sum, count]);
      };
      expect(await sums({ score: "good" })).toEqual([[1, 2]]);
      expect(await sums({ score: "tone", agent: "support" })).toEqual([[4, 1]]);
      expect(await sums({ score: "tone", agent: "sales" })).toEqual([]);
      expect(await sums({ score: "far" })).toEqual([]);
      // As the link of a firing lists them: the turn was long ago.
      const listed = async (since: number, until: number) => {
        const page = await storage.conversations.list({
          score: { name: "good", since, until },
          agent_id: "support",
          limit: 10,
        });
        return page.items.map(({ id }) => id);
      };
      expect(await listed(from * HOUR_MS, now + HOUR_MS)).toEqual(["a"]);
      expect(await listed(BEGIN, from * HOUR_MS)).toEqual([]);
    });

    test("What waits is measured as of now, and by the hour in the past", async () => {
      const { storage } = subject();
      const [created, started, , , requested] = conversation({ id: "w", waits: 1 });
      const stuck = conversation({ id: "s", hour: 1 }).slice(0, 3);
      await storage.log.append([
        ...conversation({ id: "done", waits: 90 * 60_000 }),
        ...[created, started, requested].flatMap((event) => (event ? [event] : [])),
        ...stuck,
      ]);
      await counted(storage);
      const waited = await measure({ metric: "approval_wait", threshold: 30 }, BEGIN + 2 * HOUR_MS);
      // The first was answered after an hour and a half, the other one still waits.
      expect(waited.map(({ hour, sum, count }) => [hour - HOUR, Math.round(sum), count]).slice(0, 2)).toEqual([
        [0, 60, 2],
        [1, 120, 2],
      ]);
      // It began with the second hour, and nothing has happened since.
      const stuckAfter = (minutes: number) =>
        measure({ metric: "stuck_run", threshold: minutes }, BEGIN + 2 * HOUR_MS, HOUR + 2);
      expect(await stuckAfter(90)).toEqual([]);
      const [row] = await stuckAfter(30);
      expect([row?.count, Math.round(row?.sum ?? 0)]).toEqual([1, 60]);
    });

    test("An error that comes back is measured by how long it was gone, a new one is not", async () => {
      const failed = (id: string, days: number, message: string) =>
        newEvent({
          ...{ id, conversation_id: "c", type: "call.failed", run_id: "r", agent_id: "support" },
          payload: { call_id: "call", iteration: 1, tool: "refund", error: { code: "e", message } },
          occurred_at: new Date(BEGIN + (days - 10) * 24 * HOUR_MS).toISOString(),
        });
      await subject().storage.log.append([
        newEvent({ id: "0", conversation_id: "c", type: "conversation.created", payload: {} }),
        failed("1", 0, "charge 17 is in EUR"),
        failed("2", 9, "no such charge"),
        failed("3", 10, "charge 99 is in EUR"),
      ]);
      const condition: Condition = { ...USUAL, metric: "error_returned", tool: "refund", threshold: 7 };
      const rows = await measure(condition, BEGIN);
      expect(rows).toEqual([{ hour: HOUR, sum: 10, count: 1 }]);
      expect(evaluate(condition, new Map(rows.map((row) => [row.hour, row])), HOUR).value).toBe(10);
      expect(await measure({ ...condition, agent: "sales" }, BEGIN)).toEqual([]);
      expect(await measure({ ...condition, tool: "offer" }, BEGIN)).toEqual([]);
    });
  });
}
