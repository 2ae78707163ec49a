import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { compressFiles } from "./compress.mjs";
import { PREPARING, withLock } from "./lock.mjs";
import { Failure, isErrorCode, isRunning, ROOT, runQuietly } from "./process.mjs";

/** What a build is made of: a change in any of it makes the build stale. */
const SOURCES = [
  "app",
  "components",
  "db",
  "demo",
  "lib",
  "messages",
  "public",
  "instrumentation.ts",
  "next.config.ts",
  "package-lock.json",
  "package.json",
  "postcss.config.mjs",
  "tsconfig.json",
];
const NOT_BUILT = /\.(test|spec)\.tsx?$/;

/** Where builds live: a folder for each, and `current`, which names the one that new servers take. */
const BUILDS = ".build";
const CURRENT = join(ROOT, BUILDS, "current");
/** Is there where nothing is ever written again. */
const SEAL = join(ROOT, BUILDS, "sealed");
/** A server leaves `used-by-<pid>` in the build that it runs on. */
const USED_BY = "used-by-";
/** In a build: its files and how long each is, written last. */
const PARTS = "parts.json";
/** What a build can do without. */
const SPARE = /^(cache|compile-cache|trace)/;

/**
 * Builds the console when the newest build is stale. A build is made in a folder of its own and never changed
 * afterwards, so servers that run on another one, and tests, are not disturbed.
 */
export async function buildConsole() {
  if (isFresh(hashSources())) return;
  await withLock(PREPARING, async () => {
    const hash = hashSources();
    if (isFresh(hash)) return;
    if (readCurrent()?.startsWith(`${hash}-`)) console.log("The build is incomplete; rebuilding");
    const name = `${hash}-${process.pid}`;
    await build(name);
    switchTo(name);
    removeUnused(name);
  });
}

/** @param {string} hash */
function isFresh(hash) {
  const name = readCurrent();
  return name?.startsWith(`${hash}-`) ? isWhole(name) : false;
}

/**
 * Tells whether all files of a build are there, each as long as it was made.
 *
 * @param {string} name
 */
function isWhole(name) {
  const folder = join(ROOT, BUILDS, name);
  try {
    const parts = Object.entries(JSON.parse(readFileSync(join(folder, PARTS), "utf8")));
    return parts.every(([path, size]) => statSync(join(folder, path), { throwIfNoEntry: false })?.size === size);
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || error instanceof SyntaxError) return false;
    throw error;
  }
}

/** @param {string} name */
function writeParts(name) {
  const folder = join(ROOT, BUILDS, name);
  const files = filesOf(join(BUILDS, name)).map((file) => relative(join(BUILDS, name), file));
  const parts = files.filter((file) => !SPARE.test(file)).map((file) => [file, statSync(join(folder, file)).size]);
  writeFileSync(join(folder, PARTS), JSON.stringify(Object.fromEntries(parts)));
}

/** @param {string} name */
async function build(name) {
  try {
    await runQuietly("Building the console", "next", ["build"], {
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      OBELUS_DIST_DIR: join(BUILDS, name),
    });
    await compressFiles(join(ROOT, BUILDS, name, "static"));
    writeParts(name);
  } catch (error) {
    rmSync(join(ROOT, BUILDS, name), { recursive: true, force: true });
    throw error;
  }
}

/**
 * Takes the current build for this process, so that it is kept while this process runs.
 *
 * @returns {string} its folder, from the project's folder on: what `OBELUS_DIST_DIR` is to be.
 */
export function claimBuild() {
  const name = readCurrent();
  if (!name) throw new Failure("There is no build; run npm run build.");
  // Where nothing is built any more, no build has to be kept from being removed.
  if (isSealed()) return join(BUILDS, name);
  const mark = join(ROOT, BUILDS, name, `${USED_BY}${process.pid}`);
  try {
    writeFileSync(mark, "");
  } catch (error) {
    // Nor there.
    if (isErrorCode(error, "EROFS")) return join(BUILDS, name);
    throw error;
  }
  process.on("exit", () => rmSync(mark, { force: true }));
  return join(BUILDS, name);
}

/** From now on the tree is used as it is. */
export function seal() {
  writeFileSync(SEAL, "");
}

export function isSealed() {
  return existsSync(SEAL);
}

/** The name of the current build; null where there is none. */
function readCurrent() {
  try {
    const name = readFileSync(CURRENT, "utf8");
    return existsSync(join(ROOT, BUILDS, name, "BUILD_ID")) ? name : null;
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** @param {string} name */
function switchTo(name) {
  const draft = `${CURRENT}.${process.pid}`;
  writeFileSync(draft, name);
  renameSync(draft, CURRENT);
}

/**
 * Removes builds that no running process uses.
 *
 * @param {string} current
 */
function removeUnused(current) {
  for (const entry of readdirSync(join(ROOT, BUILDS), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === current) continue;
    const folder = join(ROOT, BUILDS, entry.name);
    const used = readdirSync(folder).some(
      (file) => file.startsWith(USED_BY) && isRunning(Number(file.slice(USED_BY.length))),
    );
    if (!used) rmSync(folder, { recursive: true, force: true });
  }
}

function hashSources() {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const file of filesOf(source))
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(ROOT, file)))
        .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * The files below a path, in a stable order; none when it does not exist.
 *
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  try {
    const entries = readdirSync(join(ROOT, path), { withFileTypes: true });
    const names = entries.map((entry) => join(path, entry.name)).sort();
    return names.flatMap(filesOf);
  } catch (error) {
    if (isErrorCode(error, "ENOTDIR")) return NOT_BUILT.test(path) ? [] : [path];
    if (isErrorCode(error, "ENOENT")) return [];
    throw error;
  }
}
