import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { Subject } from "../../contract/subject.ts";
import type { Storage } from "../../storage.ts";
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

/** Opens a storage in a database of its own. */
export async function postgresSubject(): Promise<PostgresSubject> {
  const server = inject("postgres");
  main ??= openDatabase(server, () => undefined);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await main.run(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  const url = urlOf(server, name);
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
  const commits: number[] = [];
  const options: PostgresOptions = {
    url,
    dataDir,
    durability: "normal",
    onCommit: (position) => commits.push(position),
    logger: { warn: () => undefined, error: () => undefined },
  };
  const subject: PostgresSubject = {
    url,
    commits,
    storage: await openPostgres(options),
    openReplica: async (onCommit = () => undefined) =>
      openPostgres({ ...options, dataDir: await mkdtemp(join(dataDir, "replica-")), onCommit }),
    async reopen() {
      await subject.storage.close();
      subject.storage = await openPostgres(options);
    },
    async filesWith(word) {
      const database = openDatabase(url, () => undefined);
      const tables = await database.rows<{ name: string }>(
        "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
      );
      const found: string[] = [];
      for (const { name } of tables)
        if (
          (await database.rows(`SELECT 1 FROM ${name} AS row WHERE row::text ILIKE $1 LIMIT 1`, [`%${word}%`])).length >
          0
        )
          found.push(name);
      await database.close();
      return found;
    },
    faults: async () => [],
    async dispose() {
      await subject.storage.close();
      await rm(dataDir, { recursive: true });
      await main?.run(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
  return subject;
}
