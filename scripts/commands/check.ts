import { checkPostgres } from "../../db/postgres/check.ts";
import { type Checked, checkDatabase } from "../../db/sqlite/check/check.ts";
import { readConfig } from "../../lib/server/config.ts";
import { ownCommands } from "../../lib/server/own-commands.ts";
import { replayWith } from "../../lib/server/wiring/replay.ts";
import { liveLine, printable } from "./command.ts";

interface CheckOptions {
  snapshots: boolean;
  replay: boolean;
  json: boolean;
}

/** Verifies the database of `OBELUS_DATABASE_URL` or `OBELUS_DATA_DIR`, or a backup; changes nothing. */
export async function check(backup: string | undefined, values: CheckOptions): Promise<void> {
  const config = readConfig(process.env);
  const { dataDir, database } = config;
  const folder = backup ?? (database === null ? dataDir : shownUrl(database.url));
  const line = liveLine();
  const options = {
    allSnapshots: values.snapshots,
    ...(values.replay && { openReplay: replayWith(config) }),
    onProgress: (what: string) => line.show(`Checking ${what} …`),
    onChecked(one: Checked) {
      line.clear();
      if (!values.json) tell(one);
    },
  };
  const checked = await (database !== null && backup === undefined
    ? checkPostgres({ url: database.url, ...options })
    : checkDatabase({ folder, ...options })
  ).finally(line.clear);
  const ok = checked.every((one) => one.ok);
  if (values.json) console.log(JSON.stringify({ ok, folder, checks: checked }, null, 2));
  else console.log(ok ? `${folder}: no problems found.` : `${folder}: problems found.`);
  if (!ok) process.exitCode = 1;
}

/** Without the password. */
function shownUrl(text: string): string {
  const url = new URL(text);
  url.password = "";
  return url.href;
}

function tell({ name, ok, examined, faults, count, remedy }: Checked): void {
  console.log(`${ok ? "✓" : "✗"} ${name.padEnd(11)} ${examined}`);
  for (const fault of faults) console.log(printable(`    ${fault}`));
  if (count > faults.length) console.log(`    and ${(count - faults.length).toLocaleString("en")} more`);
  if (remedy !== null) console.log(`    → ${ownCommands(remedy)}`);
}
