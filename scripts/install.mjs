import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PREPARING, withLock } from "./lock.mjs";
import { isErrorCode, ROOT, runQuietly } from "./process.mjs";

const ARGUMENTS = ["install", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Installs the dependencies when what is in `node_modules` is not what the lock file names. Looks only at files:
 * with everything in place it takes milliseconds and no network.
 */
export async function installDependencies() {
  if (isInstalled()) return;
  await withLock(PREPARING, async () => {
    if (!isInstalled()) await runQuietly("Installing dependencies", "npm", ARGUMENTS);
  });
}

/** Compares the lock file with npm's own record of what it installed. */
function isInstalled() {
  const wanted = readJson("package-lock.json");
  const installed = readJson("node_modules/.package-lock.json");
  // The project's own Node comes by an install script: it can be missing when the record is whole.
  if (!installed || !existsSync(join(ROOT, "node_modules/node/package.json")) || !hasOwnNode()) return false;
  if (!wanted || !agreesWithPackage(wanted.packages[""])) return false;
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed.packages[path];
    // Packages for other platforms are in the lock file, not in node_modules.
    return found ? found.version === entry.version : Boolean(entry.optional || entry.devOptional || entry.peer);
  });
}

function hasOwnNode() {
  return existsSync(join(ROOT, "node_modules/.bin", process.platform === "win32" ? "node.cmd" : "node"));
}

/**
 * Tells whether package.json asks for what the lock file was made for.
 *
 * @param {Record<string, unknown>} locked
 */
function agreesWithPackage(locked) {
  const manifest = readJson("package.json");
  return ["dependencies", "devDependencies"].every(
    (kind) => JSON.stringify(sorted(manifest?.[kind])) === JSON.stringify(sorted(locked[kind])),
  );
}

/** @param {unknown} entries */
function sorted(entries) {
  return Object.entries(entries ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return null;
    throw error;
  }
}
