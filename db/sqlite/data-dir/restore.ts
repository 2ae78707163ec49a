import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DataRefused } from "../../errors.ts";
import { openForReading } from "../connection.ts";
import { refuseNewer } from "../migrate.ts";
import { DATABASE_FILE } from "../open.ts";
import { KEY_FILE } from "./backup.ts";
import { type Manifest, readManifest, sha256Of } from "./backup-manifest.ts";
import type { Tell } from "./data-dir.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { fileSystemError } from "./file-system-error.ts";
import { copyDurably, syncToDisk } from "./folders.ts";

const DRAFT = `${DATABASE_FILE}.draft`;

/** Files of the lock and of an interrupted restore. A key may be copied there by hand. */
const OURS = new Set(["lock.sqlite", "lock.sqlite-journal", "lock.pid", DRAFT, KEY_FILE, `${KEY_FILE}.draft`]);

/**
 * Restores a backup's database into a data directory that is empty or missing, after verifying its digest. It gets its
 * name when it is complete and on disk, so that an interrupted restore can be repeated. Throws `DataRefused`,
 * `DataDirLocked` or `NewerDatabase`; then nothing has changed.
 */
export async function restore(backup: string, dataDir: string, tell: Tell = () => undefined): Promise<Manifest> {
  const manifest = readManifest(backup);
  const lock = lockDataDir(dataDir, tell);
  const draft = join(dataDir, DRAFT);
  try {
    refuseFilled(dataDir);
    if (manifest.secret_key) refuseOtherKey(join(backup, KEY_FILE), join(dataDir, KEY_FILE));
    for (const name of [DRAFT, `${KEY_FILE}.draft`]) rmSync(join(dataDir, name), { force: true });
    await checkDigest(join(backup, DATABASE_FILE), manifest, "Take another backup");
    copyDurably(join(backup, DATABASE_FILE), draft);
    await checkDigest(draft, manifest, "Try again, or check the disk");
    refuseNewerDraft(draft);
    if (manifest.secret_key) {
      copyDurably(join(backup, KEY_FILE), join(dataDir, `${KEY_FILE}.draft`));
      renameSync(join(dataDir, `${KEY_FILE}.draft`), join(dataDir, KEY_FILE));
    }
    // Last: a data directory with a database is completely restored.
    renameSync(draft, join(dataDir, DATABASE_FILE));
    syncToDisk(dataDir);
  } catch (error) {
    rmSync(draft, { force: true });
    throw fileSystemError(error, dataDir) ?? error;
  } finally {
    lock.release(true);
  }
  return manifest;
}

function refuseFilled(dataDir: string): void {
  const found = readdirSync(dataDir).find((name) => !OURS.has(name));
  if (found === undefined) return;
  throw new DataRefused(
    `${dataDir} is not empty (${found}); move it, or set OBELUS_DATA_DIR to an empty or new directory`,
  );
}

function refuseOtherKey(backed: string, there: string): void {
  if (!existsSync(there) || readFileSync(there, "utf8") === readFileSync(backed, "utf8")) return;
  throw new DataRefused(`${there} differs from the key in the backup; move it`);
}

async function checkDigest(file: string, { sha256 }: Manifest, remedy: string): Promise<void> {
  if (!existsSync(file)) throw new DataRefused(`${file} is missing. ${remedy}`);
  if ((await sha256Of(file)) !== sha256)
    throw new DataRefused(`${file} does not match its manifest: it was changed or damaged. ${remedy}`);
}

function refuseNewerDraft(draft: string): void {
  const connection = openForReading(draft);
  try {
    refuseNewer(connection);
  } finally {
    connection.close();
  }
}
