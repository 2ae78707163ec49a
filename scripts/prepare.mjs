import { buildConsole, isSealed } from "./build.mjs";
import { installDependencies } from "./install.mjs";
import { main } from "./process.mjs";

// Before the server, and before whatever needs dependencies: installs what is missing and builds what is stale, or only
// the one that is asked for. Runs on the machine's own Node, which may be older than the project's.
await main(async () => {
  if (isSealed()) return;
  const only = process.argv[2];
  if (only !== "build") await installDependencies();
  if (only !== "install") await buildConsole();
});
