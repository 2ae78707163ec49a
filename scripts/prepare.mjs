import { buildConsole } from "./build.mjs";
import { installDependencies } from "./install.mjs";
import { main } from "./process.mjs";

// Before the server, and before whatever needs dependencies: installs what is missing and, unless only that is
// asked for, builds what is stale. Runs on the machine's own Node, which may be older than the project's.
await main(async () => {
  await installDependencies();
  if (process.argv[2] !== "install") await buildConsole();
});
