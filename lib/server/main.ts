import { Console } from "node:console";
import { setFlagsFromString } from "node:v8";
import { readConfig } from "./config.ts";
import type { RunningServer } from "./start.ts";
import { StartupError } from "./startup-error.ts";

/**
 * npm passes a signal on to its child that Ctrl-C has already sent to both: what follows so soon, in ms, is the same
 * wish, and only a later one is impatience.
 */
const SAME_WISH_MS = 300;

/** For whoever starts the server; what others print goes to the log. */
const terminal = new Console(process.stdout, process.stderr);
const dev = process.argv.includes("--dev");
// Next and React choose by it what they load, and it has to be set before they are.
Object.assign(process.env, { NODE_ENV: dev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" });

// What it writes has what people said, and keys: files and folders are their owner's alone.
process.umask(0o077);
// The main thread's new generation has been made by now (scripts/memory-settings.mjs). Threads have limits of their own, which the
// option would override.
setFlagsFromString("--max-semi-space-size=0");
try {
  const config = readConfig(process.env);
  terminal.log(`Obelus is starting with ${config.dataDir} …`);
  const server = import("./start.ts").then(({ startServer }) => startServer(config, { dev }));
  stopOnSignals(server);
  const { address } = await server;
  terminal.log(`Obelus is ready on ${address}`);
} catch (error) {
  // What is no sentence for a person is for whoever has begun this: a package that cannot be loaded can be mended.
  if (!(error instanceof StartupError)) throw error;
  terminal.error(error.message);
  process.exit(1);
}

/** Stops on the first SIGTERM or SIGINT, also while still starting; a second one ends the process at once. */
function stopOnSignals(server: Promise<RunningServer>): void {
  let first: number | null = null;
  const onSignal = () => {
    const now = performance.now();
    if (first === null) {
      first = now;
      terminal.log("Obelus is stopping …");
      server
        .then(({ stop }) => stop())
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
