import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { claimBuild, isSealed } from "./build.mjs";
import { damagedBy } from "./damage.mjs";
import { reinstall } from "./install.mjs";
import { ENVIRONMENT, V8_OPTIONS } from "./memory-settings.mjs";
import { Failure, main, PROGRAMS, ROOT } from "./process.mjs";

const OLDEST_NODE = 24;

// Starts the server in this process: `npm start` has installed and built before, and has replaced its shell by this
// process.
await main(async () => {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new Failure(
      `Obelus runs on Node ${OLDEST_NODE}, which it brings along, and this is Node ${process.versions.node}. ` +
        "Start it with npm start; if that is what you did, remove node_modules and try again.",
    );
  }
  if (!V8_OPTIONS.every((option) => process.execArgv.includes(option))) restart({}, V8_OPTIONS);
  await import("./env.mjs");
  process.env.NODE_ENV = "production";
  process.env.OBELUS_DIST_DIR ??= claimBuild();
  // Compiled code is cached beside the build: without it a start takes twice the time and 30 MB more.
  enableCompileCache(join(ROOT, process.env.OBELUS_DIST_DIR, "compile-cache"));
  try {
    await import(pathToFileURL(join(ROOT, process.env.OBELUS_DIST_DIR, PROGRAMS, "main.mjs")).href);
  } catch (error) {
    const damaged = damagedBy(error);
    if (damaged === null) throw error;
    await mend(damaged, error);
  }
  flushCompileCache();
});

/**
 * Reinstalls what could not be loaded, and restarts; once.
 * @param {string[]} damaged
 * @param {unknown} error
 */
async function mend(damaged, error) {
  const what = `A package that Obelus runs on is missing or damaged (${error instanceof Error ? error.message.split("\n")[0] : error})`;
  if (isSealed()) throw new Failure(`${what}. This tree is sealed: put a whole one in its place.`);
  if (process.env.OBELUS_MENDED === "1") throw error;
  console.error(`${what}.`);
  await reinstall(damaged);
  restart({ OBELUS_MENDED: "1" });
  throw new Failure("Repaired: start Obelus again.");
}

/**
 * Restarts in the same process; returns if that is not supported (Windows).
 * @param {Record<string, string>} env
 * @param {string[]} [options]
 */
function restart(env, options = []) {
  process.execve?.(process.execPath, [process.execPath, ...options, ...process.execArgv, ...process.argv.slice(1)], {
    ...ENVIRONMENT,
    ...process.env,
    ...env,
  });
}
