import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure, runQuietly } from "./process.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/**
 * The Chromium for browser tests: the one `OBELUS_CHROMIUM` names, else one on the path.
 *
 * @returns {string | undefined} its file; undefined leaves the choice to Playwright, which looks for its own.
 */
export function findChromium() {
  return process.env.OBELUS_CHROMIUM || onPath(NAMES);
}

/** Installs a Chromium when there is none: Debian's package where apt and root are at hand, else Playwright's own. */
export async function installChromium() {
  if (findChromium()) return;
  if (process.getuid?.() === 0 && onPath(["apt-get"])) {
    try {
      await installPackage();
      return;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      console.error(`${error.message}\n\nTrying Playwright's own Chromium instead.`);
    }
  }
  await runQuietly("Installing Playwright's Chromium", "playwright", ["install", "chromium"]);
}

async function installPackage() {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await runQuietly("Reading Debian's list of packages", "apt-get", ["update"], env);
  await runQuietly("Installing Chromium", "apt-get", ["install", "-y", "--no-install-recommends", "chromium"], env);
}

/** @param {string[]} names */
function onPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}
