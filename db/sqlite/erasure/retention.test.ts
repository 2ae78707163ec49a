import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newEvent, newMessage, searched } from "../../contract/subject.ts";
import type { NewEvent } from "../../repositories.ts";
import type { RetentionRule } from "../../retention.ts";
import { checkDatabase } from "../check/check.ts";
import { openForReading } from "../connection.ts";
import { DATABASE_FILE } from "../open.ts";
import { rebuildDataDir } from "../projections/rebuild.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-22T12:00:00.000Z");
const RULES: RetentionRule[] = [
  { channel: null, days: 365 },
  { channel: "telegram", days: 90 },
];

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

/** Creates a conversation whose last activity was some days ago. */
function begun(conversation_id: string, channel: string, days: number): NewEvent {
  const occurred_at = new Date(NOW - days * DAY_MS).toISOString();
  const payload = { title: `Title of ${conversation_id}`, channel };
  return newEvent({ id: `${conversation_id}-0`, conversation_id, type: "conversation.created", payload, occurred_at });
}

function count(table: string, where = "1"): unknown {
  const connection = openForReading(join(subject.dataDir, DATABASE_FILE));
  try {
    return connection.prepare(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get();
  } finally {
    connection.close();
  }
}

test("Security: removed conversations leave nothing but agent state, and projections match the log", async () => {
  const { log, retention, agentStates, conversations } = subject.storage;
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
  await subject.storage.bookmarks.put("old", { seq: 1, note: "forgettable", by: null });
  const spoken = { id: "old", updated_at: "2026-01-01T00:00:00.000Z" };
  expect(await retention.remove([spoken])).toEqual({ conversations: 0, events: 0 });
  const others = Array.from({ length: 30 }, (_, index) => begun(`older-${index}`, "web", 500));
  await log.append(others);
  const all = [...(await retention.next(RULES, NOW, 100)), spoken];
  expect(await retention.remove(all)).toEqual({ conversations: 31, events: 1_203 + 30 });

  expect(await conversations.get("old")).toBeNull();
  expect(await searched(conversations, { q: "forgettable", limit: 10 })).toMatchObject({ items: [] });
  for (const table of ["events", "messages", "bookmarks", "snapshots", "unfinished_forks"])
    expect([table, count(table, "conversation_id = 'old'")]).toEqual([table, 0]);
  expect(await agentStates.get("crm", "board")).toMatchObject({ value: "kept" });
  expect(await agentStates.get("dialog:old", "stage")).toBeNull();
  const quiet = { allSnapshots: true, onProgress: () => undefined, onChecked: () => undefined };
  const checked = await checkDatabase({ folder: subject.dataDir, ...quiet });
  expect(checked.filter(({ ok }) => !ok)).toEqual([]);
  // A new conversation with the same id.
  expect(await log.append([begun("old", "web", 0)])).toMatchObject([{ seq: 1 }]);
  await subject.storage.close();
  await rebuildDataDir(subject.dataDir);
  await subject.reopen().catch(() => undefined);
  expect(await subject.storage.agentStates.get("crm", "board")).toMatchObject({ value: "kept" });
  expect(count("conversations")).toBe(2);
});

test("Security: a removal that the end of the process cuts off is finished by the next start", async () => {
  const { log, retention, conversations } = subject.storage;
  const said = Array.from({ length: 2_500 }, (_, index) =>
    newMessage(`m${index}`, "forgettable", { conversation_id: "old" }),
  );
  const old = said.map((event) => ({ ...event, occurred_at: new Date(NOW - 400 * DAY_MS).toISOString() }));
  const kept = newEvent({
    ...begun("old", "web", 400),
    ...{ id: "old-s", type: "agent_state.written", payload: { agent_id: "crm", key: "board", value: "kept" } },
  });
  await log.append([begun("old", "web", 400), kept, ...old]);
  expect(await searched(conversations, { q: "forgettable", limit: 10 })).toMatchObject({ items: [{ id: "old" }] });
  const removing = retention.remove(await retention.next(RULES, NOW, 100));
  const [removed] = await Promise.allSettled([removing, subject.storage.close()]);
  expect(removed.status).toBe("rejected");
  expect(count("conversations")).toBe(0);
  expect(count("events")).toBeGreaterThan(1_000);

  await subject.reopen();
  for (const table of ["messages", "snapshots", "timeline_chunks", "unfinished_forks", "event_search_docsize"])
    expect([table, count(table)]).toEqual([table, 0]);
  expect(count("events")).toBe(1);
  expect(await subject.storage.agentStates.get("crm", "board")).toMatchObject({ value: "kept" });
  expect(await subject.faults()).toEqual([]);
});
