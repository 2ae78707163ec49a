import { readConfig } from "./config.ts";
import { type RunningServer, startServer } from "./start.ts";
import { StartupError } from "./startup-error.ts";

/**
 * npm passes a signal on to its child that Ctrl-C has already sent to both: what follows so soon, in ms, is the same
 * wish, and only a later one is impatience.
 */
const SAME_WISH_MS = 300;

const dev = process.argv.includes("--dev");
// Next and React choose by it what they load, and it has to be set before they are.
Object.assign(process.env, { NODE_ENV: dev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" });

try {
  const config = readConfig(process.env);
  console.log(`Obelus is starting with ${config.dataDir} …`);
  const server = startServer(config, { dev });
  stopOnSignals(server);
  console.log(`Obelus is ready on ${(await server).address}`);
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
}

/** Stops on the first SIGTERM or SIGINT, also while still starting; a second one ends the process at once. */
function stopOnSignals(server: Promise<RunningServer>): void {
  let first: number | null = null;
  const onSignal = () => {
    const now = performance.now();
    if (first === null) {
      first = now;
      console.log("Obelus is stopping …");
      server
        .then(({ stop }) => stop())
        .then(
          () => process.exit(0),
          (error) => {
            console.error(error);
            process.exit(1);
          },
        );
    } else if (now - first > SAME_WISH_MS) {
      console.error("Obelus was ended before everything was written.");
      process.exit(1);
    }
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
