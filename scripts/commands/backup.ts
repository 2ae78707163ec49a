import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { auditCommand } from "../../db/sqlite/access/command-audit.ts";
import { backUp, type MadeBackup } from "../../db/sqlite/data-dir/backup.ts";
import { commandLine } from "../../lib/access/command-line.ts";
import { readConfig } from "../../lib/server/config.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { filesOf } from "../../lib/server/wiring/open-data.ts";
import { liveLine, megabytes, number, readArguments, runCommand } from "./command.ts";

/**
 * `npm run backup -- DIR`: copies the database of `OBELUS_DATA_DIR` into a folder of DIR, also while a server is
 * running.
 */

const USAGE = "npm run backup -- DIR [--with-key] [--keep N]";

const OPTIONS = { "with-key": { type: "boolean", default: false }, keep: { type: "string" } } as const;

await runCommand(async (args) => {
  const { values, positionals } = readArguments(args, OPTIONS, USAGE);
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new StartupError(`Name one folder for the backups: ${USAGE}`);
  const dataDir = filesOf(readConfig(process.env));
  const line = liveLine();
  const made = await backUp({
    ...{ dataDir, folder, version: ownVersion(), withKey: values["with-key"], keep: keepOf(values.keep) },
    now: new Date(),
    onPhase: (phase) => line.show(phase === "copying" ? `Copying ${dataDir} …` : "Checking the copy …"),
  }).finally(line.clear);
  tell(made);
  await audit(dataDir, made);
});

function keepOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new StartupError(`--keep ${text} must be a whole number from 1\n${USAGE}`);
  return Number(text);
}

function ownVersion(): string {
  const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
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
