import { Console } from "node:console";
import { setFlagsFromString } from "node:v8";
import { collectWhenIdle } from "../event-loop/idle-collection.ts";
import { readConfig } from "./config.ts";
import { ownCommands } from "./own-commands.ts";
import type { RunningServer } from "./start.ts";
import { StartupError } from "./startup-error.ts";

/**
 * npm forwards a signal to its child that Ctrl-C has already sent to both: a second one within this time, in ms, is not
 * a repeated request.
 */
const SAME_WISH_MS = 300;

/** A collection blocks the server for 0.2 to 0.5 s (decision 54): only when nobody has asked for this time, ms. */
const IDLE_MS = 10_000;

/** For the person who starts the server; other output goes to the log. */
const terminal = new Console(process.stdout, process.stderr);
const dev = process.argv.includes("--dev");
let isReady = false;
// Next and React choose their build by it when loaded.
Object.assign(process.env, { NODE_ENV: dev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" });

// Data contains conversations and keys: files and folders are private to their owner.
process.umask(0o077);
// The main thread's young generation is already allocated (scripts/memory-settings.mjs). Threads have their own limits,
// which the option would override.
setFlagsFromString("--max-semi-space-size=0");
try {
  const config = readConfig(process.env);
  const server = import("./start.ts").then(({ startServer }) => startServer(config, { dev }));
  stopOnSignals(server);
  terminal.log(`Obelus is starting with ${config.database === null ? config.dataDir : "Postgres"} …`);
  const { address } = await server;
  isReady = true;
  terminal.log(`Obelus is ready on ${address}`);
  collectWhenIdle(IDLE_MS, process.memoryUsage.rss);
} catch (error) {
  // Other errors are also for the person who starts the server: a package that cannot be loaded can be fixed.
  if (!(error instanceof StartupError)) throw error;
  terminal.error(ownCommands(error.message));
  process.exit(1);
}

/** Stops on the first SIGTERM or SIGINT, also while starting; a second one ends the process at once. */
function stopOnSignals(server: Promise<RunningServer>): void {
  let first: number | null = null;
  const onSignal = () => {
    const now = performance.now();
    if (first === null) {
      first = now;
      terminal.log("Obelus is stopping …");
      const wasReady = isReady;
      server
        .then(({ stop }) => stop({ wasReady }))
        .then(
          () => process.exit(0),
          (error) => {
            terminal.error(error);
            process.exit(1);
          },
        );
    } else if (now - first > SAME_WISH_MS) {
      terminal.error("Obelus was killed before everything was written.");
      process.exit(1);
    }
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
