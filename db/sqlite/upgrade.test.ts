import { rmSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { everything } from "../contract/log/erasures.ts";
import { newEvents } from "../contract/subject.ts";
import { readMigrations } from "../migrations.ts";
import { checkDatabase } from "./check/check.ts";
import { MIGRATIONS } from "./migrate.ts";
import { DATABASE_FILE } from "./open.ts";
import { type SqliteSubject, sqliteSubject } from "./testing/subject.ts";

// The schemas of all versions: migrations never change once they are released.

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

const SCHEMAS = readMigrations(MIGRATIONS);
const COLUMNS = "SELECT name FROM pragma_table_info(?)";

/** Puts a database with the schema of an older version in place of this one's, with the rows that it has tables and columns for. */
function becomeOlder(file: string, version: number): void {
  const older = new Sqlite(`${file}.older`);
  older.exec("CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, created_at NUMERIC)");
  for (const { sql, hash, when } of SCHEMAS.slice(0, version)) {
    for (const statement of sql) older.exec(statement);
    older.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)").run(hash, when);
  }
  const newer = new Sqlite(file);
  for (const table of tablesOf(older)) {
    const there = columnsOf(newer, table);
    const columns = columnsOf(older, table).filter((column) => there.includes(column));
    if (columns.length === 0) continue;
    const names = columns.map((column) => `"${column}"`).join(", ");
    const insert = older.prepare(
      `INSERT OR REPLACE INTO "${table}" (${names}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    for (const row of newer.prepare<[], unknown[]>(`SELECT ${names} FROM "${table}"`).raw().all()) insert.run(...row);
  }
  newer.close();
  older.exec(`VACUUM INTO '${file}.made'`);
  older.close();
  for (const ending of ["", "-wal", "-shm", ".older"]) rmSync(`${file}${ending}`, { force: true });
  const made = new Sqlite(`${file}.made`);
  made.exec(`VACUUM INTO '${file}'`);
  made.close();
  rmSync(`${file}.made`);
}

/** Without those of the search, which fills itself, and of the migrations. */
function tablesOf(connection: Sqlite.Database): string[] {
  return connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%' AND name NOT GLOB '__*'",
    )
    .pluck()
    .all();
}

function columnsOf(connection: Sqlite.Database, table: string): string[] {
  return connection.prepare<[string], string>(COLUMNS).pluck().all(table);
}

test.each(SCHEMAS.slice(1).map(({ tag }, index) => [index + 1, tag]))(
  "Run: data of a version with %i migrations, before %s, is upgraded at the start: all of it, without faults",
  async (version) => {
    const { log } = subject.storage;
    await log.append([...everything("c-1"), ...newEvents("c-2", 300)]);
    const events = () => subject.storage.events.list("c-1", { after: 0, limit: 1_000 });
    const recorded = await events();
    const before = await subject.storage.conversations.get("c-1");
    await subject.storage.close();
    becomeOlder(join(subject.dataDir, DATABASE_FILE), version);

    await subject.reopen();

    expect(await events()).toEqual(recorded);
    expect(await subject.storage.conversations.get("c-1")).toEqual(before);
    const quiet = { onProgress: () => undefined, onChecked: () => undefined };
    const checked = await checkDatabase({ folder: subject.dataDir, allSnapshots: true, ...quiet });
    expect(checked.filter(({ ok }) => !ok)).toEqual([]);
  },
);
