import { StorageError } from "../db/errors.ts";
import { rebuildDataDir } from "../db/sqlite/rebuild.ts";
import { readConfig } from "../lib/server/config.ts";
import { StartupError } from "../lib/server/startup-error.ts";

/** `npm run rebuild`: makes all that is derived from the event log anew, in the data directory of `OBELUS_DATA_DIR`. */
async function rebuild(): Promise<void> {
  const { dataDir } = readConfig(process.env);
  const rebuilt = await rebuildDataDir(dataDir);
  if (!rebuilt) throw new StartupError(`There is no database in ${dataDir}; set OBELUS_DATA_DIR to where it is.`);
  console.log(`Rebuilt ${rebuilt.conversations} conversations from ${rebuilt.events} events in ${dataDir}.`);
}

try {
  await rebuild();
} catch (error) {
  if (!(error instanceof StorageError || error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
