import { restore } from "../../db/sqlite/data-dir/restore.ts";
import { readConfig } from "../../lib/server/config.ts";
import { filesOf } from "../../lib/server/wiring/open-data.ts";
import { megabytes, number } from "./command.ts";

/** Restores a backup to `OBELUS_DATA_DIR`, which must be empty or missing. */
export async function restoreBackup(backup: string): Promise<void> {
  const dataDir = filesOf(readConfig(process.env));
  const { counts, position, bytes, created_at, secret_key } = await restore(backup, dataDir, (sentence) =>
    console.error(`${sentence}.`),
  );
  const held = `${number(counts.events)} events of ${number(counts.conversations)} conversations`;
  console.log(`Restored ${held}, up to position ${position}, ${megabytes(bytes)}, of ${created_at} into ${dataDir}.`);
  if (!secret_key) console.log("secret.key was not included: add yours, or register tools with secret headers again.");
  console.log("Data erased after that backup is back: repeat those erasures. Then start Obelus.");
}
