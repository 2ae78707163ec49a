import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure, runQuietly } from "./process.mjs";

/** The headless one first: it takes a seventh less time. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Debian's packages; older releases only have the second one. */
const PACKAGES = ["chromium-headless-shell", "chromium"];

/**
 * The Chromium for browser tests: `OBELUS_CHROMIUM`, else one on the PATH.
 * @returns {string | undefined} its file; undefined lets Playwright choose its own.
 */
export function findChromium() {
  return process.env.OBELUS_CHROMIUM || onPath(NAMES);
}

/** Installs a Chromium if there is none: Debian's package with apt and root, else Playwright's own. */
export async function installChromium() {
  if (findChromium()) return;
  if (process.getuid?.() === 0 && onPath(["apt-get"])) {
    for (const name of PACKAGES) {
      try {
        await installPackage(name);
        return;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        console.error(error.message);
      }
    }
    console.error("\nTrying Playwright's own Chromium instead.");
  }
  await runQuietly("Installing Playwright's Chromium", "playwright", ["install", "chromium"]);
}

/** @param {string} name */
async function installPackage(name) {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await runQuietly("Reading Debian's list of packages", "apt-get", ["update"], env);
  await runQuietly("Installing Chromium", "apt-get", ["install", "-y", "--no-install-recommends", name], env);
}

/** @param {string[]} names */
function onPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}
