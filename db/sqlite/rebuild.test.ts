import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anySession } from "../../lib/session/testing/events.ts";
import { newEvent, newMessage } from "../contract/subject.ts";
import { DataDirLocked } from "../errors.ts";
import { openForReading } from "./connection.ts";
import { DATABASE_FILE } from "./open.ts";
import { rebuildDataDir } from "./rebuild.ts";
import { type SqliteSubject, sqliteSubject } from "./testing/subject.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

/** Every row of every projection. */
function projections(): unknown {
  const connection = openForReading(join(subject.dataDir, DATABASE_FILE));
  const rows = Object.fromEntries(
    ["messages", "conversations", "agent_state"].map((table) => [
      table,
      connection.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
    ]),
  );
  connection.close();
  return rows;
}

test("E4: rebuilding from the log gives the same projections, whatever it holds", async () => {
  const { log } = subject.storage;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anySession, { maxLength: 3 }), async (sessions) => {
      for (const session of sessions.filter(({ length }) => length > 0)) {
        count += 1;
        const id = `c${count}`;
        await log.append(session.map((event) => ({ ...event, id: `${id}/${event.id}`, conversation_id: id })));
      }
    }),
    { numRuns: 20 },
  );
  const write = { agentId: "a", actor: null, expect: { kind: "any" } } as const;
  await log.putAgentState({ ...write, key: "kept", value: 1 });
  await log.putAgentState({ ...write, key: "gone", value: 1 });
  await log.deleteAgentState({ ...write, key: "gone" });
  await log.append([
    newEvent({ id: "s", type: "agent_state.written", payload: { agent_id: "a", key: "kept", value: 2 } }),
  ]);
  await subject.storage.close();
  const before = projections();
  expect(await rebuildDataDir(subject.dataDir)).toMatchObject({ conversations: count + 1 });
  expect(projections()).toEqual(before);
});

test("E4: rebuilding mends search", async () => {
  await subject.storage.log.append([
    newMessage("m", "lost and found"),
    newEvent({ id: "t", type: "conversation.titled", payload: { title: "Umbrella" } }),
  ]);
  await subject.storage.close();
  await rebuildDataDir(subject.dataDir);
  await subject.reopen();
  const { conversations } = subject.storage;
  expect((await conversations.list({ q: "found", limit: 5 })).items).toMatchObject([{ id: "c", hit: { seq: 1 } }]);
  expect((await conversations.list({ q: "umbrella", limit: 5 })).items).toMatchObject([{ id: "c", title: "Umbrella" }]);
});

test("E4: rebuilding is refused while a server runs, and tells when there is nothing to rebuild", async () => {
  await expect(rebuildDataDir(subject.dataDir)).rejects.toThrow(DataDirLocked);
  expect(await rebuildDataDir(join(subject.dataDir, "elsewhere"))).toBeNull();
});
