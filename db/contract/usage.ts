import { describe, expect, test } from "vitest";
import { eachTime, type MakeSubject, newEvent } from "./subject.ts";

const DAY = "2026-01-31";

const responded = (id: string, agent_id: string | null, input_tokens: number, more: object = {}) =>
  newEvent({
    ...{ id, agent_id, type: "model.responded", run_id: "r", occurred_at: `${DAY}T23:59:59.999Z` },
    payload: { model: "m", provider: "p", input_tokens, output_tokens: 1 },
    ...more,
  });

/** The contract of `UsageStore`. */
export function usageContract(make: MakeSubject): void {
  describe("What agents have used", () => {
    const subject = eachTime(make);

    test("Security: token usage of own runs is summed by UTC day, agent and model, and survives reopening", async () => {
      const { log } = subject().storage;
      const first = responded("a", "crm", 10);
      await log.appendOwn([newEvent({ id: "s", type: "run.started", run_id: "r", payload: {} }), first]);
      await log.appendOwn([
        responded("b", "crm", 20),
        responded("c", "crm", 5, { payload: { model: "other", provider: "p" } }),
        responded("d", "sales", 7),
        responded("e", null, 8),
        responded("f", "crm", 100, { occurred_at: "2026-02-01T00:00:00.000Z" }),
      ]);
      // The same append again, as after a lost response.
      await log.appendOwn([first]);
      await subject().reopen();
      const { usage } = subject().storage;
      expect(await usage.of("crm", DAY)).toEqual([
        { model: "m", input_tokens: 30, output_tokens: 2 },
        { model: "other", input_tokens: 0, output_tokens: 0 },
      ]);
      expect(await usage.of("sales", DAY)).toEqual([{ model: "m", input_tokens: 7, output_tokens: 1 }]);
      expect(await usage.of("", DAY)).toEqual([{ model: "m", input_tokens: 8, output_tokens: 1 }]);
      expect(await usage.of("crm", "2026-02-01")).toEqual([{ model: "m", input_tokens: 100, output_tokens: 1 }]);
    });

    test("Security: usage of external agents, and of events that were not stored, is not counted", async () => {
      const { log, usage } = subject().storage;
      await log.append([responded("outside", "crm", 10, { run_id: "foreign" })]);
      await log.append([newEvent({ id: "taken", conversation_id: "other" })]);
      const both = [responded("own", "crm", 10), responded("taken", "crm", 10)];
      await expect(log.appendOwn(both)).rejects.toThrow("taken");
      expect(await usage.of("crm", DAY)).toEqual([]);
    });

    test("Security: an alert about an agent is identified by reason and day", async () => {
      const { log, usage } = subject().storage;
      const alert = { type: "manager.alerted", payload: { text: "Spent", reason: "daily_limit" } };
      await log.appendOwn([newEvent({ id: "a", agent_id: "crm", occurred_at: `${DAY}T12:00:00.000Z`, ...alert })]);
      const since = `${DAY}T00:00:00.000Z`;
      expect(await usage.wasAlerted("crm", "daily_limit", since)).toBe(true);
      expect(await usage.wasAlerted("sales", "daily_limit", since)).toBe(false);
      expect(await usage.wasAlerted("crm", "refund", since)).toBe(false);
      expect(await usage.wasAlerted("crm", "daily_limit", "2026-02-01T00:00:00.000Z")).toBe(false);
    });
  });
}
