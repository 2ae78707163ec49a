import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { Subject } from "../../contract/subject.ts";
import type { Storage } from "../../storage.ts";
import { checkPostgres } from "../check.ts";
import { type Database, openDatabase } from "../database.ts";
import { openPostgres, type PostgresOptions } from "../open.ts";
import { TEMPLATE, urlOf } from "./databases.ts";

/** A storage in Postgres under test. */
export interface PostgresSubject extends Subject {
  url: string;
  /** Opens the same database once more, beside the one that is open, as another replica does. */
  openReplica(onCommit?: (position: number) => void): Promise<Storage>;
}

/** Makes and drops the databases of all test files of a worker. */
let main: Database | null = null;

/** A database with all tables and nothing in them. */
export interface EmptyDatabase {
  url: string;
  dispose(): Promise<void>;
}

export async function emptyDatabase(): Promise<EmptyDatabase> {
  const server = inject("postgres");
  main ??= openDatabase(server, () => undefined);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await main.run(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  return {
    url: urlOf(server, name),
    async dispose() {
      await main?.run(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Opens a storage in a database of its own. */
export async function postgresSubject(): Promise<PostgresSubject> {
  const database = await emptyDatabase();
  const { url } = database;
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
  const commits: number[] = [];
  const logged: string[] = [];
  const options: PostgresOptions = {
    url,
    dataDir,
    durability: "normal",
    onCommit: (position) => commits.push(position),
    logger: { warn: (_, message) => logged.push(message), error: (_, message) => logged.push(message) },
  };
  const subject: PostgresSubject = {
    url,
    commits,
    logged,
    storage: await openPostgres(options),
    openReplica: async (onCommit = () => undefined) =>
      openPostgres({ ...options, dataDir: await mkdtemp(join(dataDir, "replica-")), onCommit }),
    async reopen() {
      await subject.storage.close();
      subject.storage = await openPostgres(options);
    },
    async filesWith(word) {
      const reading = openDatabase(url, () => undefined);
      const tables = await reading.rows<{ name: string }>(
        "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
      );
      const found: string[] = [];
      for (const { name } of tables)
        if (
          (await reading.rows(`SELECT 1 FROM ${name} AS row WHERE row::text ILIKE $1 LIMIT 1`, [`%${word}%`])).length >
          0
        )
          found.push(name);
      await reading.close();
      return found;
    },
    async faults() {
      const quiet = { allSnapshots: true, onProgress: () => undefined, onChecked: () => undefined };
      return (await checkPostgres({ url, ...quiet })).filter(({ ok }) => !ok);
    },
    async dispose() {
      await subject.storage.close();
      await rm(dataDir, { recursive: true });
      await database.dispose();
    },
  };
  return subject;
}
