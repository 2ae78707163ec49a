import { globSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, programOf } from "./bundle.mjs";
import { isRunning, ROOT } from "./process.mjs";

/** A folder for each run, inside of the project, so that native modules are found. */
const BUNDLES = join(ROOT, "node_modules", ".cache", "threads");

/** The module of a thread, named relative to the module that starts it. */
const THREAD_URL = /new URL\("(\.\/[^"]*-thread\.ts)", import\.meta\.url\)/;

/** @type {Promise<string> | undefined} */
let bundled;

/**
 * A plugin for Vitest: threads that tests start run from bundles, as in a build. Each storage under test starts one or more, and
 * each of them loads a hundred modules: 190 ms of CPU, from a bundle 80. While watching they run from their sources, which change.
 * @returns {import("vitest/config").Plugin}
 */
export function bundledThreads() {
  return {
    name: "bundled-threads",
    apply: () => process.argv.includes("run"),
    // What is kept from run to run would name the folder of an earlier one.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ sourceCode }) => (THREAD_URL.test(sourceCode) ? false : undefined));
    },
    transform: {
      filter: { id: /\.ts$/, code: THREAD_URL },
      async handler(code, id) {
        bundled ??= bundleAll();
        const folder = await bundled;
        const moved = code.replace(THREAD_URL, (_, path) => {
          const program = programOf(relative(ROOT, resolve(dirname(id), path)));
          return `new URL("${pathToFileURL(join(folder, `${program}.mjs`)).href}")`;
        });
        return { code: moved, map: null };
      },
    },
  };
}

/** Bundles all threads for this run, and returns their folder. */
async function bundleAll() {
  mkdirSync(BUNDLES, { recursive: true });
  for (const pid of readdirSync(BUNDLES)) if (!isRunning(Number(pid))) rmSync(join(BUNDLES, pid), { recursive: true });
  const folder = join(BUNDLES, String(process.pid));
  const modules = globSync("{db,lib}/**/*-thread.ts", { cwd: ROOT });
  await bundle(Object.fromEntries(modules.map((module) => [programOf(module), module])), folder);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
