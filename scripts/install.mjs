import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isThere } from "./damage.mjs";
import { PREPARING, withLock } from "./lock.mjs";
import { Failure, isErrorCode, ROOT, runQuietly } from "./process.mjs";

const ARGUMENTS = ["install", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];

const MODULES = join(ROOT, "node_modules");
/** npm's own record of what it installed. */
const RECORD = "node_modules/.package-lock.json";
/** Is there while npm works; where it is left, that was cut off, and what is in `node_modules` is not to be trusted. */
const UNDER_WAY = join(ROOT, ".build", "installing");
/** npm moves a package aside under a name that it computes: where something has it already, it fails. */
const IN_THE_WAY = /ENOTEMPTY|EEXIST/;

/**
 * Installs the dependencies when what is in `node_modules` is not what the lock file names, or a package's folder is
 * missing. Looks only at files: with everything in place it takes milliseconds and no network.
 */
export async function installDependencies() {
  if (isInstalled()) return;
  await withLock(PREPARING, async () => {
    if (!isInstalled()) await install(missingPackages());
  });
}

/**
 * Installs packages anew that turned out to be damaged, or all of them where it is not known which.
 *
 * @param {string[]} damaged their folders
 */
export async function reinstall(damaged) {
  await withLock(PREPARING, () => install(damaged.length === 0 ? ["node_modules"] : damaged));
}

/** @param {string[]} damaged folders that are removed first */
async function install(damaged) {
  const isCutOff = existsSync(UNDER_WAY);
  mkdirSync(dirname(UNDER_WAY), { recursive: true });
  writeFileSync(UNDER_WAY, "");
  if (isCutOff) console.log("An installation was interrupted; reinstalling");
  else if (damaged.length > 0) console.log(`Missing or damaged, reinstalling: ${damaged.join(", ")}`);
  for (const folder of isCutOff ? ["node_modules"] : damaged) remove(join(ROOT, folder));
  // npm believes its record rather than look whether the packages are there.
  if (damaged.length > 0) remove(join(ROOT, RECORD));
  try {
    await runNpm();
  } catch (error) {
    // Where it fails by itself, npm puts back what was there.
    if (!(error instanceof Failure && error.isKilled)) rmSync(UNDER_WAY, { force: true });
    throw error;
  }
  rmSync(UNDER_WAY, { force: true });
}

async function runNpm() {
  try {
    await runQuietly("Installing dependencies", "npm", ARGUMENTS);
  } catch (error) {
    if (!(error instanceof Failure && !error.isKilled && IN_THE_WAY.test(error.message))) throw error;
    console.log("Leftovers of an earlier installation are in the way; reinstalling everything");
    remove(MODULES);
    await runQuietly("Installing dependencies", "npm", ARGUMENTS);
  }
}

/** @param {string} path */
function remove(path) {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Compares the lock file with npm's record, and looks whether what that names is there. */
function isInstalled() {
  if (existsSync(UNDER_WAY)) return false;
  const wanted = readJson("package-lock.json");
  const installed = readJson(RECORD);
  if (!installed || !wanted || !agreesWithPackage(wanted.packages[""])) return false;
  return (
    missingPackages().length === 0 &&
    Object.entries(wanted.packages).every(([path, entry]) => {
      if (path === "") return true;
      const found = installed.packages[path];
      // Packages for other platforms are in the lock file, not in node_modules.
      return found ? found.version === entry.version : Boolean(entry.optional || entry.devOptional || entry.peer);
    })
  );
}

/** Packages that npm has installed and that are gone. */
function missingPackages() {
  const installed = readJson(RECORD);
  if (!installed) return [];
  const missing = Object.keys(installed.packages).filter((path) => !isThere(path));
  // The project's own Node comes by an install script: it can be missing when its package is there.
  return hasOwnNode() || missing.includes("node_modules/node") ? missing : ["node_modules/node", ...missing];
}

function hasOwnNode() {
  return existsSync(join(MODULES, ".bin", process.platform === "win32" ? "node.cmd" : "node"));
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
    // A record that was cut off says nothing.
    if (isErrorCode(error, "ENOENT") || (path === RECORD && error instanceof SyntaxError)) return null;
    throw error;
  }
}
