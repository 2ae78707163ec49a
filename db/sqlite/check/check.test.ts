import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newEvent, newEvents, newMessage } from "../../contract/subject.ts";
import { DataRefused } from "../../errors.ts";
import { SNAPSHOT_EVERY } from "../../projections/snapshot.ts";
import type { NewEvent } from "../../repositories.ts";
import { openForReading } from "../connection.ts";
import { DATABASE_FILE } from "../open.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";
import { type Checked, checkDatabase } from "./check.ts";

let subject: SqliteSubject;
/** A closed database with all kinds of data; each test damages its own copy. */
let filled = "";
let folder = "";
/** The result of a check while a server was running. */
let beside: Checked[] = [];
beforeAll(async () => {
  subject = await sqliteSubject();
  await fill();
  filled = await mkdtemp(join(tmpdir(), "obelus-filled-"));
  beside = await check(subject.dataDir);
  await subject.storage.close();
  await cp(subject.dataDir, filled, { recursive: true });
});
afterAll(async () => {
  await subject.dispose();
  await rm(filled, { recursive: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-check-"));
  await cp(filled, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

function check(where = folder): Promise<Checked[]> {
  return checkDatabase({ folder: where, allSnapshots: true, onProgress: () => undefined, onChecked: () => undefined });
}

const NAMES = ["file", "log", "json", "links", "audit", "projections", "search", "snapshots"];

/** Faults by check. */
async function wrong(): Promise<Record<string, string[]>> {
  const checked = await check();
  return Object.fromEntries(checked.filter(({ ok }) => !ok).map(({ name, faults }) => [name, faults]));
}

function query(text: string): unknown {
  const connection = openForReading(join(subject.dataDir, DATABASE_FILE));
  const value = connection.prepare(text).pluck().get();
  connection.close();
  return value;
}

/** A log with all projections: messages, agent state, confirmations, alerts, a fork, snapshots, the search index. */
async function fill(): Promise<void> {
  const { log, sessions } = subject.storage;
  const write = { agentId: "ä", actor: null, expect: { kind: "any" } } as const;
  await log.append([newMessage("m1", "hello there"), ...newEvents("c", SNAPSHOT_EVERY + 10)]);
  await log.putAgentState({ ...write, key: "kept", value: { n: 1 } });
  await log.putAgentState({ ...write, key: "\u{1f600}", value: 2 });
  await log.putAgentState({ ...write, key: "\uffee", value: 3 });
  const asked = { confirmation_id: "k", key: "k", action: { method: "m", params: {} }, before: { of: 0 } };
  await log.append([
    newEvent({ id: "a", type: "manager.alerted", payload: { text: "come" } }),
    newEvent({ id: "r", type: "confirmation.requested", payload: asked }),
    newEvent({ id: "t", type: "conversation.titled", payload: { title: "Umbrella" } }),
  ]);
  const recorded_at = "2020-01-01T00:00:00.000Z";
  async function* history() {
    yield [newMessage("f:1", "hello there", { conversation_id: "f", recorded_at })];
  }
  const made = { forked_from: { conversation_id: "c", seq: 1 } };
  const beginning = (): NewEvent[] => [
    newEvent({ id: "f:2", conversation_id: "f", type: "conversation.created", payload: made }),
  ];
  const fork = { conversation_id: "f", length: 1, bookmarks: [], history: history(), beginning };
  await log.fork(fork, new AbortController().signal);
  await subject.storage.audit.append(
    { action: "signed_in", target: "user:anna" },
    { caller: { kind: "everybody" }, address: "127.0.0.1", request_id: "r" },
  );
  await sessions.view("c", SNAPSHOT_EVERY);
  await vi.waitFor(() => expect(query("SELECT count(*) FROM snapshots")).toBe(1));
  await vi.waitFor(() =>
    expect(query("SELECT max(position) FROM events")).toBe(query("SELECT position FROM search_progress")),
  );
}

describe("Keep: the check", () => {
  test("finds no faults in a valid database, with and without a server", async () => {
    const checked = await check();
    for (const each of [beside, checked])
      expect(each.map(({ name, ok, faults }) => ({ name, ok, faults }))).toEqual(
        NAMES.map((name) => ({ name, ok: true, faults: [] })),
      );
    const looked = Object.fromEntries(checked.map(({ name, examined }) => [name, examined]));
    expect(looked).toMatchObject({ log: expect.stringContaining("of 2 conversations"), audit: "1 entry" });
    expect(looked.snapshots).toBe("1 snapshot of 1 conversation");
  });

  test("changes nothing, and ignores incomplete imports and forks", async () => {
    spoil("INSERT INTO unfinished_forks VALUES ('half', -20)");
    spoil(`INSERT INTO events (position, id, conversation_id, seq, type, error, recorded_at, payload)
      VALUES (-20, 'h', 'half', 1, 'log', 0, 0, '1')`);
    const before = await readFile(join(folder, DATABASE_FILE));
    expect(await wrong()).toEqual({});
    expect(before.equals(await readFile(join(folder, DATABASE_FILE)))).toBe(true);
  });

  test.each([
    [
      "log",
      "a step is gone",
      "DELETE FROM events WHERE conversation_id = 'c' AND seq = 7",
      "c: step 7 is missing, the next is 8",
    ],
    [
      "log",
      "steps change places",
      "UPDATE events SET position = 9000 WHERE conversation_id = 'c' AND seq = 7",
      "c: step 8 comes before step 7 in the log",
    ],
    [
      "json",
      "a payload is cut",
      "UPDATE events SET payload = '{\"a' WHERE conversation_id = 'c' AND seq = 7",
      "events.payload of row 7",
    ],
    [
      "json",
      "a summary is cut",
      "UPDATE conversations SET summary = '{' WHERE id = 'c'",
      "conversations.summary of row 1",
    ],
    [
      "links",
      "a message has no event",
      "INSERT INTO messages SELECT 7777, 'c', 7777, 'x', role, NULL, NULL, NULL, NULL, NULL, '' FROM messages WHERE id = 'm1'",
      "messages without their event: 7777",
    ],
    [
      "links",
      "a confirmation has no event",
      "UPDATE confirmations SET position = 8888",
      "confirmations without their event: k",
    ],
    [
      "links",
      "a bookmark has no step",
      "INSERT INTO bookmarks VALUES ('c', 7777, NULL, NULL, 1, 1)",
      "bookmarks of missing steps: c 7777",
    ],
    [
      "links",
      "a score has no conversation",
      "INSERT INTO scores VALUES ('gone', 'i', NULL, NULL, NULL, 'rating', 'number', '3', 'person', NULL, NULL, 1, NULL)",
      "scores of missing conversations: gone rating",
    ],
    [
      "links",
      "the queue has a conversation that is not there",
      "INSERT INTO queue VALUES ('gone', 'anna', NULL, NULL, NULL, '')",
      "missing conversations in the queue: gone",
    ],
    [
      "links",
      "a note has no conversation",
      "INSERT INTO notes VALUES ('gone', 'n', NULL, NULL, NULL, NULL, 'x', '[]', NULL, 1)",
      "notes of missing conversations: gone n",
    ],
    [
      "links",
      "a sign-in has no user",
      "INSERT INTO sign_ins VALUES ('h', 'gone', 1, 1, 1, '', NULL)",
      "sign-ins of missing users: gone",
    ],
    [
      "links",
      "a version has no event",
      "UPDATE agent_state_versions SET position = 8888 WHERE key = 'kept'",
      "versions of agent state without their event: 8888",
    ],
    [
      "audit",
      "an entry was rewritten",
      "DROP TRIGGER audit_is_not_rewritten; UPDATE audit SET actor = 'operator:eve'",
      "The chain breaks at entry 1",
    ],
    [
      "projections",
      "a message says something else",
      "UPDATE messages SET content = 'no' WHERE id = 'm1'",
      "messages 1: content differs from the log",
    ],
    [
      "projections",
      "a conversation is gone from the list",
      "DELETE FROM conversations WHERE id = 'c'",
      "conversations 1: missing",
    ],
    [
      "projections",
      "an entry of agents' state that nobody wrote",
      "INSERT INTO agent_state VALUES ('ä', 'more', '1', 1, 1)",
      "agent_state ä/more: not in the log",
    ],
    [
      "projections",
      "an agent's state is another",
      "UPDATE agent_state SET value = '5' WHERE key = '\u{1f600}'",
      "agent_state ä/\u{1f600}: value differs from the log",
    ],
    ["projections", "an alert is closed", "UPDATE alerts SET closed_at = 5", "closed_at differs from the log"],
    [
      "search",
      "the index lacks a step",
      "DELETE FROM event_search WHERE rowid = (SELECT min(id) FROM event_search_docsize WHERE id > 0)",
      "c: the index lacks 1 step",
    ],
    [
      "search",
      "the index has too much",
      "INSERT INTO event_search (rowid, text) VALUES (9000 << 25, 'x')",
      "1 row of missing conversations",
    ],
    [
      "snapshots",
      "a snapshot is another",
      "UPDATE snapshots SET session = (SELECT x'00')",
      `c: the snapshot of step ${SNAPSHOT_EVERY} differs from the log`,
    ],
  ])("%s: finds that %s", async (name, _what, statement, fault) => {
    spoil(statement);
    const found = await wrong();
    expect(found[name]?.join("\n")).toContain(fault);
    const [checked] = (await check()).filter((one) => one.name === name);
    expect(checked?.remedy).not.toBeNull();
  });

  test("reports a missing database, and leaves older tables to the next start", async () => {
    await expect(check(join(folder, "elsewhere"))).rejects.toThrow(DataRefused);
    spoil("DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)");
    await expect(check()).rejects.toThrow("start Obelus once");
  });
});

/** Writes to the file directly. */
function spoil(statements: string): void {
  const connection = new Sqlite(join(folder, DATABASE_FILE));
  connection.exec(statements);
  connection.close();
}
