import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DataRefused } from "../../errors.ts";
import { syncToDisk } from "./folders.ts";

/** It is in a data directory whose database was moved to Postgres. */
const MARK = "moved.txt";

/** Has no server start on a data directory any more. */
export function markMoved(dataDir: string): void {
  const file = join(dataDir, MARK);
  writeFileSync(file, `The database was moved to Postgres, ${new Date().toISOString()}.\n`, { mode: 0o600 });
  syncToDisk(file);
  syncToDisk(dataDir);
}

/** Throws `DataRefused` for a data directory whose database was moved: its open runs would be carried on a second time. */
export function refuseMoved(dataDir: string): void {
  const file = join(dataDir, MARK);
  if (existsSync(file))
    throw new DataRefused(
      `The database in ${dataDir} was moved to Postgres, and its open runs go on there: set OBELUS_DATABASE_URL, or remove ${file} to use this copy`,
    );
}
