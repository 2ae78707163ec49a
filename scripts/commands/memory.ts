import { parseArgs } from "node:util";
import { Refusal } from "./call-server.ts";
import { exportMemories } from "./memory-export.ts";
import { importMemories } from "./memory-import.ts";

/**
 * Users' memories as files (M1), from and into the running server: `npm run memory -- export [--user ID] FOLDER` and
 * `npm run memory -- import FILE…|FOLDER…`.
 */

const USAGE = `npm run memory -- export [--user ID] FOLDER
npm run memory -- import FILE…|FOLDER…`;

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(given: string[]): Promise<void> {
  const { values, positionals } = read(given);
  const [command, ...places] = positionals;
  const [folder, ...others] = places;
  let faults: string[];
  if (command === "export" && folder !== undefined && others.length === 0) {
    faults = await exportMemories(folder, values.user ?? null);
  } else if (command === "import" && places.length > 0 && values.user === undefined) {
    faults = await importMemories(places);
  } else {
    throw new Refusal(USAGE);
  }
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

function read(args: string[]) {
  try {
    return parseArgs({ args, options: { user: { type: "string" } }, allowPositionals: true });
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}
