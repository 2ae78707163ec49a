import { buildConsole, isSealed } from "./build.mjs";
import { damagedByBuild } from "./damage.mjs";
import { installDependencies, reinstall } from "./install.mjs";
import { Failure, main } from "./process.mjs";

// Installs missing dependencies and builds if stale, or only one of them. Runs on the system's Node, which may be older
// than the project's.
await main(async () => {
  if (isSealed()) return;
  const only = process.argv[2];
  if (only !== "build") await installDependencies();
  if (only === "install") return;
  try {
    await buildConsole();
  } catch (error) {
    const damaged = error instanceof Failure ? damagedByBuild(error.message) : [];
    if (only === "build" || damaged.length === 0) throw error;
    await reinstall(damaged);
    await buildConsole();
  }
});
