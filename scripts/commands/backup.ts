import { basename } from "node:path";
import { auditCommand } from "../../db/sqlite/access/command-audit.ts";
import { backUp, type MadeBackup } from "../../db/sqlite/data-dir/backup.ts";
import { commandLine } from "../../lib/access/command-line.ts";
import { readConfig } from "../../lib/server/config.ts";
import { VERSION } from "../../lib/server/version.ts";
import { filesOf } from "../../lib/server/wiring/open-data.ts";
import { liveLine, megabytes, number } from "./command.ts";

/** Copies the database of `OBELUS_DATA_DIR` into a folder of `folder`, also while a server is running. */
export async function makeBackup(
  folder: string,
  { withKey, keep }: { withKey: boolean; keep: number | null },
): Promise<void> {
  const dataDir = filesOf(readConfig(process.env));
  const line = liveLine();
  const made = await backUp({
    ...{ dataDir, folder, version: VERSION, withKey, keep },
    now: new Date(),
    onPhase: (phase) => line.show(phase === "copying" ? `Copying ${dataDir} …` : "Checking the copy …"),
  }).finally(line.clear);
  tell(made);
  await audit(dataDir, made);
}

function tell({ path, manifest: { counts, position, bytes, secret_key }, removed }: MadeBackup): void {
  const held = `${number(counts.events)} events of ${number(counts.conversations)} conversations`;
  console.log(`${path}: ${held}, up to position ${position}, ${megabytes(bytes)}; verified.`);
  console.log(
    secret_key
      ? "secret.key is included: whoever has this folder can decrypt the secrets of registered tools."
      : "secret.key is not included: back it up separately, or add --with-key.",
  );
  for (const old of removed) console.log(`Removed ${old}`);
}

/** The backup is complete, even if the audit entry fails. */
async function audit(dataDir: string, { path, manifest }: MadeBackup): Promise<void> {
  const { position, sha256, secret_key } = manifest;
  try {
    const after = { position, sha256, secret_key };
    await auditCommand(dataDir, { action: "backup.made", target: `backup:${basename(path)}`, after }, commandLine());
  } catch (error) {
    console.error(`Could not record it in the audit: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
