import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { anySession, inConversation } from "../../../lib/session/testing/events.ts";
import { newEvent, newMessage, searched } from "../../contract/subject.ts";
import { DataDirLocked } from "../../errors.ts";
import { openForReading, openForWriting } from "../connection.ts";
import { DATABASE_FILE } from "../open.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";
import { rebuildDataDir } from "./rebuild.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

/** All rows of all projections. */
function projections(): unknown {
  const connection = openForReading(join(subject.dataDir, DATABASE_FILE));
  const rows = Object.fromEntries(
    ["messages", "conversations", "agent_state", "agent_state_versions", "confirmations", "bookmarks"].map((table) => [
      table,
      connection.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
    ]),
  );
  connection.close();
  return rows;
}

test("E4: rebuilding from the log gives the same projections", async () => {
  const { log } = subject.storage;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anySession, { maxLength: 3 }), async (sessions) => {
      for (const session of sessions.filter(({ length }) => length > 0)) {
        count += 1;
        const id = `c${count}`;
        await log.append(inConversation(id, session));
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
    newEvent({ id: "old", type: "agent_state.written", payload: { agent_id: "a", key: "kept", value: 1, version: 1 } }),
  ]);
  await askAndDecide();
  await fork();
  await subject.storage.close();
  const before = projections();
  spoil("UPDATE confirmations SET id = id || ' that nobody asked for'");
  expect(await rebuildDataDir(subject.dataDir)).toMatchObject({ conversations: count + 3 });
  expect(projections()).toEqual(before);
});

function spoil(statement: string): void {
  const connection = openForWriting(join(subject.dataDir, DATABASE_FILE), "normal");
  connection.exec(statement);
  connection.close();
}

/** Own and external confirmations: pending, decided and used, and external events that name an own one. */
async function askAndDecide(): Promise<void> {
  const asked = (id: string) => ({
    confirmation_id: id,
    key: "k",
    action: { method: "m", params: { of: id } },
    before: { of: 0 },
  });
  const own = (id: string, type: string, payload: JsonObject) =>
    newEvent({ id, type, payload, run_id: "own", conversation_id: "asked" });
  const { log } = subject.storage;
  await log.appendOwn([
    own("o1", "run.started", {}),
    own("o2", "confirmation.requested", asked("waiting")),
    own("o3", "confirmation.requested", asked("used")),
    own("o4", "confirmation.approved", { confirmation_id: "used" }),
    own("o5", "call.started", { call_id: "a", tool: "m", confirmation_id: "used" }),
    own("o6", "confirmation.requested", asked("recorded")),
    own("o7", "confirmation.approved", { confirmation_id: "recorded", result: 1 }),
  ]);
  await log.append([
    { ...own("f1", "call.started", { call_id: "b", tool: "m", confirmation_id: "waiting" }), run_id: null },
    { ...own("f2", "confirmation.requested", asked("outside")), run_id: "other" },
  ]);
  const decision = { reason: "no", action: null, result: undefined, actor: "operator:anna" };
  const requestedSeq = (await subject.storage.confirmations.get("outside"))?.requested_seq ?? 0;
  await log.decide({ confirmationId: "outside", status: "denied", requestedSeq, ...decision });
}

test("E4: imported confirmations are not pending after a rebuild either, unless requested", async () => {
  const { log, notices } = subject.storage;
  await notices.follow("mail");
  for (const by of ["import", "program"] as const) {
    const event = (type: string, payload: JsonObject) =>
      newEvent({ id: `${by} ${type}`, conversation_id: by, type, payload });
    const events = [
      event("manager.alerted", { text: by }),
      event("confirmation.requested", { confirmation_id: by, key: "k", action: { method: "m", params: {} } }),
    ];
    const conversation = (async function* () {
      yield { conversation_id: by, events };
    })();
    await log.importConversations(conversation, new AbortController().signal, undefined, by);
  }
  const standing = async () => {
    const { alerts, confirmations, conversations } = subject.storage;
    return {
      called: (await alerts.list({ status: "open", limit: 9 })).items.map(({ text }) => text),
      waiting: (await confirmations.list({ status: "requested", limit: 9 })).items.map(({ id }) => id),
      counted: (await conversations.facets()).awaiting,
      shown: (await conversations.get("import"))?.status,
    };
  };
  const right = { called: ["program"], waiting: ["program"], counted: 1, shown: "escalated" };
  expect(await standing()).toEqual(right);
  await notices.gather("mail", () => ({ number: 0, dueAt: 0 }));
  expect((await notices.take("mail", 1, "n"))?.counts).toEqual({ confirmation: 1, alert: 1, mention: 0, rule: 0 });
  await subject.storage.close();
  await rebuildDataDir(subject.dataDir);
  await subject.reopen();
  expect(await standing()).toEqual(right);
});

test("E4: rebuilding repairs search", async () => {
  await subject.storage.log.append([
    newMessage("m", "lost and found"),
    newEvent({ id: "t", type: "conversation.titled", payload: { title: "Umbrella" } }),
  ]);
  await subject.storage.close();
  await rebuildDataDir(subject.dataDir);
  await subject.reopen();
  const { conversations } = subject.storage;
  expect((await searched(conversations, { q: "found", limit: 5 })).items).toMatchObject([{ id: "c", hit: { seq: 1 } }]);
  expect((await conversations.list({ q: "umbrella", limit: 5 })).items).toMatchObject([{ id: "c", title: "Umbrella" }]);
});

test("E4: rebuilding is refused while a server runs, and reports an empty directory", async () => {
  await expect(rebuildDataDir(subject.dataDir)).rejects.toThrow(DataDirLocked);
  expect(await rebuildDataDir(join(subject.dataDir, "elsewhere"))).toBeNull();
});

/** A fork with a message, and agent state that has changed since (E9). */
async function fork(): Promise<void> {
  const recorded_at = "2020-01-01T00:00:00.000Z";
  const old = { agent_id: "a", key: "kept", value: "of the source", version: 99 };
  async function* history() {
    yield [
      newMessage("f:1", "hello", { conversation_id: "f", recorded_at }),
      newEvent({ id: "f:2", conversation_id: "f", type: "agent_state.written", payload: old, recorded_at }),
    ];
  }
  const mark = { seq: 1, note: "kept", by: null, at: recorded_at, set_seq: 2 };
  const made = { forked_from: { conversation_id: "c", seq: 2 } };
  const beginning = () => [newEvent({ id: "f:3", conversation_id: "f", type: "conversation.created", payload: made })];
  await subject.storage.log.fork(
    { conversation_id: "f", length: 2, bookmarks: [mark], history: history(), beginning },
    new AbortController().signal,
  );
}
