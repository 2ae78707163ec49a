import { rebuildDataDir } from "../../db/sqlite/projections/rebuild.ts";
import type { OnRebuilding } from "../../db/storage.ts";
import { readConfig } from "../../lib/server/config.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { filesOf } from "../../lib/server/wiring/open-data.ts";
import { liveLine, number } from "./command.ts";

/** Rebuilds all projections of the event log in `OBELUS_DATA_DIR`. */
export async function rebuild(): Promise<void> {
  const dataDir = filesOf(readConfig(process.env));
  const line = liveLine();
  const rebuilt = await rebuildDataDir(dataDir, showRebuilding(line.show), (sentence) =>
    console.error(`${sentence}.`),
  ).finally(line.clear);
  if (!rebuilt)
    throw new StartupError(
      `There is no database in ${dataDir}; set OBELUS_DATA_DIR to the directory that contains it.`,
    );
  const { conversations, events } = rebuilt;
  console.log(`Rebuilt ${number(conversations)} conversations from ${number(events)} events in ${dataDir}.`);
}

/** Shows the progress and speed of each projection. */
function showRebuilding(show: (line: string) => void): OnRebuilding {
  let began = performance.now();
  return ({ projection, done, total }) => {
    if (done === 0) began = performance.now();
    const seconds = (performance.now() - began) / 1_000;
    const percent = Math.floor((100 * done) / Math.max(1, total));
    const rate = seconds > 0 ? number(Math.round(done / seconds)) : "0";
    show(`Rebuilding ${projection}: ${percent} % of ${number(total)} events, ${rate} events/s`);
  };
}
