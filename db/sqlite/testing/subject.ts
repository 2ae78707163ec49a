import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { chmod, cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subject } from "../../contract/subject.ts";
import type { Storage, StorageOptions } from "../../storage.ts";
import { checkDatabase } from "../check/check.ts";
import { openStorage } from "../open.ts";

/** A storage in SQLite under test. */
export interface SqliteSubject extends Subject {
  dataDir: string;
  /** Opens the same directory again, while it is open. */
  openAgain(): Promise<Storage>;
}

/** A data directory that a storage has left: what a new one is copied from, because making its tables takes longer. */
let prepared: Promise<string> | undefined;

async function prepare(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const ignore = () => undefined;
  const storage = await openStorage({
    dataDir,
    durability: "normal",
    onCommit: ignore,
    logger: { warn: ignore, error: ignore },
  });
  await storage.close();
  // As a second start makes them, which would say so.
  for (const name of await readdir(dataDir)) await chmod(join(dataDir, name), 0o700);
  return dataDir;
}

/** Opens a storage in a new directory, on a real file. */
export async function sqliteSubject(): Promise<SqliteSubject> {
  prepared ??= prepare();
  const from = await prepared;
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
  await cp(from, dataDir, { recursive: true });
  const commits: number[] = [];
  const logged: string[] = [];
  const options: StorageOptions = {
    dataDir,
    durability: "normal",
    onCommit: (position) => commits.push(position),
    logger: { warn: (_, message) => logged.push(message), error: (_, message) => logged.push(message) },
  };
  const subject: SqliteSubject = {
    dataDir,
    commits,
    logged,
    storage: await openStorage(options),
    openAgain: () => openStorage(options),
    async reopen() {
      await subject.storage.close();
      subject.storage = await openStorage(options);
    },
    async filesWith(word) {
      // Another process reads them: closing a file would release SQLite's locks of this process.
      const { stdout, status } = spawnSync("grep", ["-rlia", word, dataDir], { encoding: "utf8" });
      if (status !== 0 && status !== 1) throw new Error("The files could not be searched");
      return stdout.split("\n").flatMap((path) => path.split("/").at(-1) || []);
    },
    async faults() {
      const quiet = { allSnapshots: true, onProgress: () => undefined, onChecked: () => undefined };
      const checked = await checkDatabase({ folder: dataDir, ...quiet });
      return checked.filter(({ ok }) => !ok);
    },
    async dispose() {
      await subject.storage.close();
      await rm(dataDir, { recursive: true });
    },
  };
  return subject;
}
