import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newEvents } from "../contract/subject.ts";
import { DataDirLocked, NewerDatabase } from "../errors.ts";
import { DATABASE_FILE } from "./open.ts";
import { type SqliteSubject, sqliteSubject } from "./testing/subject.ts";

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
