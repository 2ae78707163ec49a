import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../lib/session/json/json.ts";
import { newEvents, newMessage, searched } from "../contract/subject.ts";
import { DataDirLocked, NewerDatabase } from "../errors.ts";
import { readMigrations } from "../migrations.ts";
import { MIGRATIONS } from "./migrate.ts";
import { DATABASE_FILE } from "./open.ts";
import { MIGRATION_REBUILDS, requireRebuild } from "./projections/pending-rebuilds.ts";
import { type SqliteSubject, sqliteSubject } from "./testing/subject.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

test("E5: a database of a newer version is refused and not changed", async () => {
  await subject.storage.close();
  const file = join(subject.dataDir, DATABASE_FILE);
  const newer = new Sqlite(file);
  newer
    .prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('from the future', ?)")
    .run(Date.now() + 1e12);
  newer.exec("DROP TABLE snapshots");
  newer.close();
  await expect(subject.reopen()).rejects.toThrow(NewerDatabase);
  await expect(subject.reopen()).rejects.toThrow(file);
  const after = new Sqlite(file);
  expect(after.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'snapshots'").get()).toBeUndefined();
  after.close();
});

/** Creates a closed database of an older version, with these events and no projections. */
async function makeOlder(version: number, events: [type: string, payload: JsonObject][]): Promise<void> {
  await subject.storage.close();
  const file = join(subject.dataDir, DATABASE_FILE);
  await rm(file);
  const older = new Sqlite(file);
  older.exec("CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, created_at NUMERIC)");
  for (const { sql, hash, when } of readMigrations(MIGRATIONS).slice(0, version)) {
    for (const statement of sql) older.exec(statement);
    older.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)").run(hash, when);
  }
  const insert = older.prepare(
    `INSERT INTO events (position, id, conversation_id, seq, type, error, recorded_at, payload)
     VALUES (?, ?, 'c', ?, ?, 0, 0, ?)`,
  );
  for (const [index, [type, payload]] of events.entries())
    insert.run(index + 1, `e${index}`, index + 1, type, JSON.stringify(payload));
  older.close();
}

const MESSAGE: [string, JsonObject] = ["message.created", { message_id: "m", role: "user", content: "needle" }];

test("E5: a database of an older version is migrated, with this version's projections", async () => {
  const asked = { confirmation_id: "k", key: "k", action: { method: "m", params: {} } };
  await makeOlder(2, [["confirmation.requested", asked], MESSAGE]);
  await subject.reopen();
  const { confirmations, conversations, messages } = subject.storage;
  expect(await confirmations.get("k")).toMatchObject({ status: "requested", conversation_id: "c" });
  expect(await conversations.get("c")).toMatchObject({ status: "waiting", event_count: 2 });
  expect((await messages.list("c", { limit: 9 })).items).toHaveLength(1);
  expect((await searched(conversations, { q: "needle", limit: 9 })).items).toMatchObject([{ id: "c" }]);
});

test("C5: bookmarks that were events are in their own table after the migration, and the log is unchanged", async () => {
  const mark = (seq: number, note?: string): [string, JsonObject] => [
    "conversation.bookmarked",
    { seq, ...(note && { note }) },
  ];
  const events: [string, JsonObject][] = [
    MESSAGE,
    mark(1, "first"),
    mark(2),
    mark(1, "second"),
    ["conversation.unbookmarked", { seq: 2 }],
    mark(3),
    mark(99),
  ];
  await makeOlder(Object.keys(MIGRATION_REBUILDS).indexOf("0011_errors"), events);
  await subject.reopen();
  expect(await subject.storage.bookmarks.list("c")).toMatchObject([
    { seq: 1, note: "second", by: null, at: "1970-01-01T00:00:00.000Z", set_seq: 4 },
    { seq: 3, note: null, set_seq: 6 },
  ]);
  expect(await subject.storage.events.list("c", { after: 0, limit: 9 })).toHaveLength(events.length);
});

test("E5: a migration has made anew what it needs, and leaves the rest as it is", async () => {
  expect(Object.keys(MIGRATION_REBUILDS)).toEqual(readMigrations(MIGRATIONS).map(({ tag }) => tag));
  const version = Object.keys(MIGRATION_REBUILDS).indexOf("0006_forks");
  await makeOlder(version, [MESSAGE]);
  await subject.reopen();
  expect(await subject.storage.conversations.get("c")).toMatchObject({ event_count: 1 });
  expect((await subject.storage.messages.list("c", { limit: 9 })).items).toEqual([]);
  await makeOlder(Object.keys(MIGRATION_REBUILDS).length, [MESSAGE]);
  await subject.reopen();
  expect(await subject.storage.conversations.get("c")).toBeNull();
});

test("E5: an interrupted rebuild is made at the next start", async () => {
  await subject.storage.log.append([newMessage("m", "kept")]);
  await subject.storage.close();
  const cutOff = new Sqlite(join(subject.dataDir, DATABASE_FILE));
  requireRebuild(cutOff, ["conversations"]);
  requireRebuild(cutOff, ["messages"]);
  cutOff.exec("DELETE FROM messages; DELETE FROM conversations");
  cutOff.close();
  await subject.reopen();
  expect(await subject.storage.conversations.get("c")).toMatchObject({ event_count: 1 });
  expect((await subject.storage.messages.list("c", { limit: 9 })).items).toHaveLength(1);
});

test("Security: data deleted by an older version is cleared from the file at the first start", async () => {
  await makeOlder(Object.keys(MIGRATION_REBUILDS).indexOf("0015_secure_delete"), [MESSAGE]);
  const file = join(subject.dataDir, DATABASE_FILE);
  const older = new Sqlite(file);
  older.exec("DELETE FROM events");
  older.close();
  expect((await readFile(file)).includes("needle")).toBe(true);
  await subject.reopen();
  await subject.storage.close();
  expect((await readFile(file)).includes("needle")).toBe(false);
  await subject.reopen();
});

test("E5: a directory in use is refused, and stays locked", async () => {
  const { storage } = subject;
  const file = await readdir(subject.dataDir);
  await expect(subject.openAgain()).rejects.toThrow(DataDirLocked);
  await storage.log.append(newEvents("a", 1));
  expect(await readdir(subject.dataDir)).toEqual(file);
});

test("E11: remains of an import are removed at the next start after a crash", async () => {
  await subject.storage.close();
  await writeFile(join(subject.dataDir, "tmp", "left-behind.ndjson"), "{}\n");
  await subject.reopen();
  expect(await readdir(join(subject.dataDir, "tmp"))).toEqual([]);
});
