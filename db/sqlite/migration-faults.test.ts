import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readMigrations } from "../migrations.ts";
import { checkDatabase } from "./check/check.ts";
import { MIGRATIONS } from "./migrate.ts";
import { DATABASE_FILE, openStorage } from "./open.ts";

/** The version whose migration requires all rebuilds, and has the most statements before it. */
const OLD = 2;
const EVENTS = 6_000;

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
  const older = new Sqlite(join(dataDir, DATABASE_FILE));
  older.exec("CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, created_at NUMERIC)");
  for (const { sql, hash, when } of readMigrations(MIGRATIONS).slice(0, OLD)) {
    for (const statement of sql) older.exec(statement);
    older.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)").run(hash, when);
  }
  older.exec(`WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < ${EVENTS})
    INSERT INTO events (position, id, conversation_id, seq, type, error, recorded_at, payload)
    SELECT value, 'e' || value, 'c' || (value % 3), (value + 2) / 3, 'message.created', 0, value,
      json_object('message_id', 'm' || value, 'role', 'user', 'content', 'needle ' || value)
    FROM numbers`);
  older.close();
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Starts a process that opens the storage and kills itself at `fault`; returns its signal. */
async function killedAt(fault: string): Promise<string | null> {
  const script = `
    import Sqlite from ${JSON.stringify(import.meta.resolve("better-sqlite3"))};
    import { openStorage } from ${JSON.stringify(new URL("./open.ts", import.meta.url).href)};
    const die = () => process.kill(process.pid, "SIGKILL");
    let onRebuilding = () => {};
    ${fault}
    await openStorage({ dataDir: ${JSON.stringify(dataDir)}, durability: "full", onCommit() {}, onRebuilding, logger: console });
    process.exit(0);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
  const [, signal] = await once(child, "exit");
  return signal;
}

/** The next start completes it: all tables and projections, without duplicates. */
async function expectCompleted(): Promise<void> {
  const storage = await openStorage({ dataDir, durability: "full", onCommit: () => undefined, logger: console });
  expect(await storage.conversations.get("c1")).toMatchObject({ message_count: EVENTS / 3, last_seq: EVENTS / 3 });
  await storage.close();
  const ignored = { onProgress: () => undefined, onChecked: () => undefined };
  const checked = await checkDatabase({ folder: dataDir, allSnapshots: true, ...ignored });
  expect(checked.filter(({ ok }) => !ok)).toEqual([]);
}

const STATEMENTS = readMigrations(MIGRATIONS)
  .slice(OLD)
  .reduce((sum, { sql }) => sum + sql.length, 0);

describe("E5: an interrupted migration", () => {
  test.each([1, Math.floor(STATEMENTS / 2), STATEMENTS])(
    `by kill -9 after statement %i of ${STATEMENTS} is completed by the next start`,
    async (count) => {
      // The journal's own statement is the first.
      const signal = await killedAt(`
        const { exec } = Sqlite.prototype;
        let left = ${count} + 1;
        Sqlite.prototype.exec = function (text) {
          const result = exec.call(this, text);
          if (this.inTransaction && !/EXCLUSIVE/.test(text) && --left === 0) die();
          return result;
        };`);
      expect(signal).toBe("SIGKILL");
      await expectCompleted();
    },
  );

  test.each(["messages", "conversations"])(
    "by kill -9 while %s are made anew is completed by the next start",
    async (projection) => {
      const signal = await killedAt(`
      onRebuilding = ({ projection, done }) => { if (projection === "${projection}" && done > 0) die(); };`);
      expect(signal).toBe("SIGKILL");
      await expectCompleted();
    },
  );

  test("by an error of any of its statements changes nothing, and is completed at the next start", async () => {
    const { exec } = Sqlite.prototype;
    const tables = () => {
      const connection = new Sqlite(join(dataDir, DATABASE_FILE));
      const names = connection.prepare("SELECT name FROM sqlite_schema ORDER BY name").pluck().all();
      connection.close();
      return names;
    };
    const before = tables();
    for (let fails = 1; fails <= STATEMENTS; fails += 1) {
      let left = fails + 1;
      Sqlite.prototype.exec = function (text) {
        if (this.inTransaction && --left === 0) throw new Error("no more memory");
        return exec.call(this, text);
      };
      const opening = openStorage({ dataDir, durability: "normal", onCommit: () => undefined, logger: console });
      await expect(opening.finally(() => (Sqlite.prototype.exec = exec))).rejects.toThrow("no more memory");
      expect(tables()).toEqual(before);
    }
    await expectCompleted();
  });
});
