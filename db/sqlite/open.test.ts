import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newEvents } from "../contract/subject.ts";
import { DataDirLocked, NewerDatabase } from "../errors.ts";
import { DATABASE_FILE } from "./open.ts";
import { type SqliteSubject, sqliteSubject } from "./testing/subject.ts";

const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

test("E5: a database of a newer version is refused and left as it is", async () => {
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

test("E5: a database of an older version is brought up to date, with what this version tells of its log", async () => {
  await subject.storage.close();
  const file = join(subject.dataDir, DATABASE_FILE);
  await rm(file);
  const older = new Sqlite(file);
  older.exec("CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, created_at NUMERIC)");
  for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder: MIGRATIONS }).slice(0, 2)) {
    for (const statement of sql) older.exec(statement);
    older.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)").run(hash, folderMillis);
  }
  const asked = { confirmation_id: "k", key: "k", action: { method: "m", params: {} } };
  older
    .prepare(
      `INSERT INTO events (position, id, conversation_id, seq, type, error, recorded_at, payload)
       VALUES (1, 'e', 'c', 1, 'confirmation.requested', 0, 0, ?)`,
    )
    .run(JSON.stringify(asked));
  older.close();
  await subject.reopen();
  expect(await subject.storage.confirmations.get("k")).toMatchObject({ status: "requested", conversation_id: "c" });
  expect(await subject.storage.conversations.get("c")).toMatchObject({ status: "waiting", event_count: 1 });
});

test("E5: a directory in use is refused, and stays in use", async () => {
  const { storage } = subject;
  const file = await readdir(subject.dataDir);
  await expect(subject.openAgain()).rejects.toThrow(DataDirLocked);
  await storage.log.append(newEvents("a", 1));
  expect(await readdir(subject.dataDir)).toEqual(file);
});

test("E11: what an import left behind when the process died is gone at the next start", async () => {
  await subject.storage.close();
  await writeFile(join(subject.dataDir, "tmp", "left-behind.ndjson"), "{}\n");
  await subject.reopen();
  expect(await readdir(join(subject.dataDir, "tmp"))).toEqual([]);
});
