import { existsSync } from "node:fs";
import { join } from "node:path";
import { DataRefused, StorageDamaged } from "../../errors.ts";
import type { OpenReplay } from "../../replay.ts";
import { verifyAudit } from "../access/audit.ts";
import type { Connection } from "../connection.ts";
import { MANIFEST_FILE, readManifest, sha256Of } from "../data-dir/backup-manifest.ts";
import { isDamage } from "../data-dir/damage.ts";
import { openReadOnly } from "../data-dir/open-read-only.ts";
import { isOlder, refuseNewer } from "../migrate.ts";
import { DATABASE_FILE } from "../open.ts";
import { type Check, counted, Faults } from "./check-context.ts";
import { checkJson } from "./json.ts";
import { checkLinks } from "./links.ts";
import { checkLog } from "./log.ts";
import { checkProjections } from "./projections.ts";
import { checkReplays, readValues } from "./replays.ts";
import { checkSearch } from "./search.ts";
import { checkSnapshots } from "./snapshots.ts";
import { structureAndIndexFaults } from "./structure.ts";

/** The result of one check. */
export interface Checked {
  name: Check["name"] | "backup";
  ok: boolean;
  /** What was examined, in a few words. */
  examined: string;
  /** The first faults. */
  faults: string[];
  /** The number of faults. */
  count: number;
  /** What to do; null if there are no faults. */
  remedy: string | null;
}

/** How much is checked, and who is told. */
export interface Reporting {
  allSnapshots: boolean;
  /** Replays the runs that the engine recorded; without it they are not. */
  openReplay?: OpenReplay;
  /** Called before each check and during it. */
  onProgress(what: string): void;
  /** Called after each check. */
  onChecked(checked: Checked): void;
}

export interface CheckOptions extends Reporting {
  /** A data directory or a backup. */
  folder: string;
}

const RESTORE = "Stop Obelus, move the data directory away, and restore a backup: npm run restore -- BACKUP.";

/** SQLite's integrity check of pages, trees, records and indexes. */
const checkFile: Check = {
  name: "file",
  remedy: RESTORE,
  run({ connection }, faults) {
    for (const fault of structureAndIndexFaults(connection)) faults.add(fault);
    const size = (pragma: string) => Number(connection.pragma(pragma, { simple: true }));
    const bytes = size("page_count") * size("page_size");
    return `${(bytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
  },
};

/** The hash chain of the audit log is valid. */
const checkAudit: Check = {
  name: "audit",
  remedy: "The audit was changed outside Obelus, or the file is damaged. Keep this file, and compare it with a backup.",
  run({ connection }, faults) {
    const { entries, broken } = verifyAudit(connection);
    if (broken !== null) faults.add(`The chain breaks at entry ${broken}`);
    return counted(entries, "entry", "entries");
  },
};

/** The checks of data, whatever stores it. */
const OF_DATA: readonly Check[] = [checkLog, checkJson, checkLinks, checkAudit, checkProjections];

const CHECKS: readonly Check[] = [checkFile, ...OF_DATA, checkSearch, checkSnapshots];

/**
 * Checks a database without changing it; if a server uses it, reads a snapshot. Throws `DataRefused`, `NewerDatabase`,
 * or `StorageDamaged` if nothing can be read.
 */
export async function checkDatabase(options: CheckOptions): Promise<Checked[]> {
  const { folder } = options;
  const file = join(folder, DATABASE_FILE);
  if (!existsSync(file))
    throw new DataRefused(`There is no ${DATABASE_FILE} in ${folder}; name a folder that contains one`);
  const results = existsSync(join(folder, MANIFEST_FILE)) ? [await checkBackup(options)] : [];
  const { connection, close } = open(file);
  try {
    connection.exec("BEGIN");
    return [...results, ...runChecks([...CHECKS, ...(await replaysOf(connection, options))], connection, options)];
  } finally {
    close();
  }
}

/** Checks the data of another storage, which was copied into a temporary database. */
export async function checkData(connection: Connection, options: Reporting): Promise<Checked[]> {
  const checks = [...OF_DATA, checkSnapshots, ...(await replaysOf(connection, options))];
  return runChecks(checks, connection, options);
}

async function replaysOf(connection: Connection, { openReplay }: Reporting): Promise<Check[]> {
  if (!openReplay) return [];
  return [checkReplays(await openReplay((agentId) => readValues(connection, agentId)))];
}

function runChecks(checks: readonly Check[], connection: Connection, options: Reporting): Checked[] {
  return checks.map((check) => {
    const checked = runCheck(check, connection, options);
    options.onChecked(checked);
    return checked;
  });
}

function open(file: string): ReturnType<typeof openReadOnly> {
  const looked = openReadOnly(file);
  try {
    refuseNewer(looked.connection);
    if (isOlder(looked.connection))
      throw new DataRefused(`${file} has an older schema; start Obelus once to migrate it, then check it again`);
    return looked;
  } catch (error) {
    looked.close();
    throw isDamage(error) ? new StorageDamaged(error) : error;
  }
}

async function checkBackup({ folder, onProgress, onChecked }: CheckOptions): Promise<Checked> {
  onProgress("backup");
  const { sha256, bytes } = readManifest(folder);
  const faults = new Faults();
  if ((await sha256Of(join(folder, DATABASE_FILE))) !== sha256) faults.add("obelus.sqlite does not match its manifest");
  const remedy = "The backup was changed or damaged: use another one.";
  const checked = resultOf("backup", `SHA-256 of ${bytes.toLocaleString("en")} bytes`, faults, remedy);
  onChecked(checked);
  return checked;
}

function runCheck({ name, remedy, run }: Check, connection: Connection, options: Reporting): Checked {
  const faults = new Faults();
  const tell = (what: string) => options.onProgress(what === "" ? name : `${name}: ${what}`);
  tell("");
  let examined = NOT_ALL;
  try {
    examined = run({ connection, allSnapshots: options.allSnapshots, tell }, faults);
  } catch (error) {
    // Damage can make a check throw: this is reported, and the next check runs.
    faults.add(failed(error));
  }
  return resultOf(name, examined, faults, remedy);
}

/** What a check examined that could not go on. */
export const NOT_ALL = "not all of it";

/** The fault of a check that could not go on. */
export function failed(error: unknown): string {
  return `The check failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** What a check found. */
export function resultOf(name: Checked["name"], examined: string, { told, count }: Faults, remedy: string): Checked {
  const ok = count === 0;
  return { name, ok, examined: examined, faults: told, count, remedy: ok ? null : remedy };
}
