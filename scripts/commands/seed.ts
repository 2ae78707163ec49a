import { readArguments } from "../seed/arguments.ts";
import { type Posted, postEvents } from "../seed/post.ts";
import { Refusal } from "./call-server.ts";

/**
 * Fills the running server with realistic data of a given size: `npm run seed -- KIND`. The same `--seed` gives the
 * same ids, so that seeding again only adds what is missing.
 */

const PROGRESS_MS = 2_000;

try {
  await seed(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function seed(args: string[]): Promise<void> {
  const { make, url } = readArguments(args);
  const { total, events, open } = make(Date.now());
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  let told = performance.now();
  const onProgress = ({ events: count }: Posted) => {
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    console.log(`  ${number(count)} of about ${number(total)} events`);
  };
  const posted = await postEvents(url, events, { onProgress, signal: stop.signal });
  console.log(`${number(posted.events - posted.known)} events stored, ${number(posted.known)} already there`);
  if (stop.signal.aborted) {
    console.log("Stopped early; run the same command to continue.");
    process.exitCode = 130;
    return;
  }
  console.log("Open");
  for (const { path, shows } of open) console.log(`  ${new URL(path, url)}: ${shows}`);
}

function number(value: number): string {
  return value.toLocaleString("en");
}
