import { join } from "node:path";
import { buildConsole } from "./build.mjs";
import { installDependencies } from "./install.mjs";
import { withLock } from "./lock.mjs";
import { main, ROOT } from "./process.mjs";

// Before the server, and before whatever needs dependencies: installs what is missing and, unless only that is
// asked for, builds what is stale. Runs on the machine's own Node, which may be older than the project's.
await main(() =>
  withLock(join(ROOT, ".build", "lock"), async () => {
    await installDependencies();
    if (process.argv[2] !== "install") await buildConsole();
  }),
);
