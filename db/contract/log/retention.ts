import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../repositories.ts";
import type { RetentionRule } from "../../retention.ts";
import { eachTime, type MakeSubject, newEvent, newMessage, searched } from "../subject.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-22T12:00:00.000Z");
const RULES: RetentionRule[] = [
  { channel: null, days: 365 },
  { channel: "telegram", days: 90 },
];

/** Creates a conversation whose last activity was some days ago. */
function begun(conversation_id: string, channel: string, days: number): NewEvent {
  const occurred_at = new Date(NOW - days * DAY_MS).toISOString();
  const payload = { title: `Title of ${conversation_id}`, channel };
  return newEvent({ id: `${conversation_id}-0`, conversation_id, type: "conversation.created", payload, occurred_at });
}

/** The contract of `RetentionStore`. */
export function retentionContract(make: MakeSubject): void {
  describe("Retention", () => {
    const subject = eachTime(make);

    test("Security: conversations are removed by their channel's age, unless something in them is pending", async () => {
      const { log, retention } = subject().storage;
      const waits = newEvent({
        ...begun("waits", "telegram", 91),
        ...{ id: "waits-1", type: "run.started", run_id: "r", payload: {} },
      });
      await log.append([
        ...[begun("old", "web", 366), begun("young", "web", 364), begun("chat", "telegram", 91)],
        ...[begun("chat-2", "telegram", 89), begun("waits", "telegram", 91), waits],
      ]);
      const due = await retention.next(RULES, NOW, 10);
      expect(due.map(({ id }) => id).sort()).toEqual(["chat", "old"]);
      expect(await retention.count(RULES, NOW)).toBe(2);
      expect(await retention.next([], NOW, 10)).toEqual([]);
      expect((await retention.next(RULES, NOW + 400 * DAY_MS, 10)).map(({ id }) => id)).not.toContain("waits");
    });

    test("Security: removed conversations leave nothing but agent state, and projections match the log", async () => {
      const { log, retention, agentStates, conversations } = subject().storage;
      const said = Array.from({ length: 1_200 }, (_, index) =>
        newMessage(`old-m${index}`, "forgettable", { conversation_id: "old" }),
      );
      const old = said.map((event) => ({ ...event, occurred_at: new Date(NOW - 400 * DAY_MS).toISOString() }));
      const kept = newEvent({
        ...begun("old", "web", 400),
        ...{ id: "old-s", type: "agent_state.written", payload: { agent_id: "crm", key: "board", value: "kept" } },
      });
      const dialog = { ...kept, id: "old-d", payload: { agent_id: "dialog:old", key: "stage", value: "gone" } };
      await log.append([begun("old", "web", 400), ...old, kept, dialog, begun("young", "web", 1)]);
      expect(await searched(conversations, { q: "forgettable", limit: 10 })).toMatchObject({ items: [{ id: "old" }] });
      await subject().storage.bookmarks.put("old", { seq: 1, note: "forgettable", by: null });
      const spoken = { id: "old", updated_at: "2026-01-01T00:00:00.000Z" };
      expect(await retention.remove([spoken])).toEqual({ conversations: 0, events: 0 });
      const others = Array.from({ length: 30 }, (_, index) => begun(`older-${index}`, "web", 500));
      await log.append(others);
      const all = [...(await retention.next(RULES, NOW, 100)), spoken];
      expect(await retention.remove(all)).toEqual({ conversations: 31, events: 1_203 + 30 });

      expect(await conversations.get("old")).toBeNull();
      expect(await searched(conversations, { q: "forgettable", limit: 10 })).toMatchObject({ items: [] });
      expect(await agentStates.get("crm", "board")).toMatchObject({ value: "kept" });
      expect(await agentStates.get("dialog:old", "stage")).toBeNull();
      expect(await subject().faults()).toEqual([]);
      // A new conversation with the same id.
      expect(await log.append([begun("old", "web", 0)])).toMatchObject([{ seq: 1 }]);
    });
  });
}
