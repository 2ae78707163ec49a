import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DataRefused } from "../../errors.ts";
import { structureFaults } from "../check/structure.ts";
import { type Connection, openForReading } from "../connection.ts";
import { DATABASE_FILE } from "../open.ts";
import { countDatabase, isBackup, MANIFEST_FILE, type Manifest, newestPosition, sha256Of } from "./backup-manifest.ts";
import { isDamage } from "./damage.ts";
import { fileSystemError } from "./file-system-error.ts";
import { copyDurably, makeFolder, syncToDisk, writeDurably } from "./folders.ts";
import { openReadOnly } from "./open-read-only.ts";

/** The key that encrypts secrets, in a data directory and in a backup that includes it. */
export const KEY_FILE = "secret.key";

export interface BackupOptions {
  dataDir: string;
  /** The folder of the backups; created if missing. */
  folder: string;
  /** The version of Obelus that creates it. */
  version: string;
  withKey: boolean;
  /** How many of the newest to keep; null: all. */
  keep: number | null;
  now: Date;
  onPhase(phase: "copying" | "checking"): void;
}

export interface MadeBackup {
  path: string;
  manifest: Manifest;
  /** Older and incomplete backups that were removed. */
  removed: string[];
}

const NAME = /^obelus-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
const DRAFT = ".draft";

/** A draft that has not grown for this long is of an interrupted backup, ms. */
const ABANDONED_MS = 3_600_000;

/**
 * Copies the database of a data directory into a new folder, also while a server is running. The copy is a consistent
 * snapshot without free pages, so that nothing erased is included. It is verified before it gets its name, so that
 * every named backup is complete. Throws `DataRefused`.
 */
export async function backUp(options: BackupOptions): Promise<MadeBackup> {
  const { dataDir, folder, keep, now } = options;
  if (!existsSync(join(dataDir, DATABASE_FILE)))
    throw new DataRefused(`There is no database in ${dataDir}; set OBELUS_DATA_DIR to the directory that contains it`);
  const name = `obelus-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
  const path = join(folder, name);
  const draft = `${path}${DRAFT}`;
  try {
    makeFolder(folder);
    if (existsSync(path) || existsSync(draft))
      throw new DataRefused(`${path} already exists; wait a second and run it again`);
    mkdirSync(draft, { mode: 0o700 });
  } catch (error) {
    throw fileSystemError(error, folder, null) ?? error;
  }
  try {
    const manifest = await fill(draft, options);
    syncToDisk(draft);
    renameSync(draft, path);
    syncToDisk(folder);
    return { path, manifest, removed: keep === null ? [] : removeOld(folder, keep, now) };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw explained(error, options);
  }
}

async function fill(draft: string, { dataDir, version, withKey, now, onPhase }: BackupOptions): Promise<Manifest> {
  const copy = join(draft, DATABASE_FILE);
  onPhase("copying");
  const before = copyDatabase(join(dataDir, DATABASE_FILE), copy);
  if (withKey) copyKey(join(dataDir, KEY_FILE), join(draft, KEY_FILE));
  onPhase("checking");
  const counted = lookThrough(copy, before);
  const manifest = {
    ...{ version, created_at: now.toISOString(), ...counted },
    ...{ bytes: statSync(copy).size, sha256: await sha256Of(copy), secret_key: withKey },
  };
  writeDurably(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Copies a snapshot of the database; returns the log's newest position before it. */
function copyDatabase(from: string, to: string): number {
  const { connection, close } = openReadOnly(from);
  try {
    const before = newestPosition(connection);
    // SQLite writes into an existing empty file, and this one is readable by its owner only.
    writeFileSync(to, "", { mode: 0o600, flag: "wx" });
    connection.prepare("VACUUM INTO ?").run(to);
    syncToDisk(to);
    return before;
  } finally {
    close();
  }
}

function copyKey(from: string, to: string): void {
  if (!existsSync(from))
    throw new DataRefused(`${from} does not exist, because no secret was encrypted; run it without --with-key`);
  copyDurably(from, to);
}

/** Throws if the copy is not valid. */
function lookThrough(copy: string, before: number): Pick<Manifest, "position" | "counts"> {
  const connection = openForReading(copy);
  try {
    const faults = [...structureFaults(connection), ...logFaults(connection)];
    const counted = countDatabase(connection);
    if (counted.position < before) faults.push(`it ends at position ${counted.position}, the database at ${before}`);
    if (faults.length > 0)
      throw new DataRefused(`The copy is incomplete (${faults[0]}) and was discarded; run npm run check`);
    return counted;
  } finally {
    connection.close();
  }
}

/** Conversations whose steps are not 1 to the last. */
function logFaults(connection: Connection): string[] {
  const broken = connection
    .prepare<[], number>(
      `SELECT count(*) FROM (SELECT 1 FROM events WHERE conversation_id IS NOT NULL
         GROUP BY conversation_id HAVING min(seq) <> 1 OR max(seq) <> count(*))`,
    )
    .pluck()
    .get();
  return broken ? [`${broken} conversations have missing steps`] : [];
}

/** Removes all but the newest `keep`, and the remains of interrupted ones. */
function removeOld(folder: string, keep: number, now: Date): string[] {
  const names = readdirSync(folder).sort();
  const backups = names.filter((name) => NAME.test(name) && isBackup(join(folder, name)));
  const abandoned = names.filter((name) => name.endsWith(DRAFT) && isAbandoned(join(folder, name), now));
  const removed = [...backups.slice(0, Math.max(0, backups.length - keep)), ...abandoned];
  for (const name of removed) rmSync(join(folder, name), { recursive: true });
  return removed.map((name) => join(folder, name));
}

function isAbandoned(draft: string, now: Date): boolean {
  const copy = statSync(join(draft, DATABASE_FILE), { throwIfNoEntry: false }) ?? statSync(draft);
  return (
    NAME.test(draft.slice(draft.lastIndexOf("obelus-"), -DRAFT.length)) && now.getTime() - copy.mtimeMs > ABANDONED_MS
  );
}

function explained(error: unknown, { folder, dataDir }: BackupOptions): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(ENOSPC|SQLITE_FULL|SQLITE_IOERR)/.test(code))
    return new DataRefused(`The disk of ${folder} is full or not writable, so nothing was kept there; free space`, {
      cause: error,
    });
  if (isDamage(error))
    return new DataRefused(
      `The database in ${dataDir} is damaged, so no backup was kept; run npm run check, and keep the older backups`,
      { cause: error },
    );
  return error;
}
