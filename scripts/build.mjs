import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { compressFiles } from "./compress.mjs";
import { PREPARING, withLock } from "./lock.mjs";
import { V8_OPTIONS } from "./memory-settings.mjs";
import { Failure, isErrorCode, isRunning, ROOT, runQuietly } from "./process.mjs";

/** The sources of a build: a change in any of them makes it stale. */
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
  "scripts/bundle.mjs",
  "scripts/commands",
  "scripts/ascii-sources.mjs",
  "tsconfig.json",
];
const NOT_BUILT = /\.(test|spec)\.tsx?$/;

/** The folder of builds, and of `current`, which names the one that new servers use. */
const BUILDS = ".build";
const CURRENT = join(ROOT, BUILDS, "current");
/** Exists if nothing may be written any more. */
const SEAL = join(ROOT, BUILDS, "sealed");
/** The prefix of a marker file for each server that uses a build. */
const USED_BY = "used-by-";
/** The list of a build's files with their sizes, written last. */
const PARTS = "parts.json";
/** Files that a build does not need. */
const SPARE = /^(cache|compile-cache|trace)/;

/**
 * Builds the console if the newest build is stale. Each build has its own folder and is never changed, so running
 * servers and tests are not disturbed.
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
 * Whether a build has all files with the right sizes.
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
    await runQuietly("Bundling the server", "node", ["scripts/bundle.mjs", join(BUILDS, name)]);
    await compileServer(join(BUILDS, name));
    writeParts(name);
  } catch (error) {
    rmSync(join(ROOT, BUILDS, name), { recursive: true, force: true });
    throw error;
  }
}

/**
 * Compiles the server's code into the cache beside a build. Otherwise the first start takes twice the time and 30 MB
 * more, and each thread 8 to 15 MB more, until the next one.
 * @param {string} folder of the build, relative to the project
 */
export async function compileServer(folder) {
  await runQuietly("Compiling the server", "node", [...V8_OPTIONS, "scripts/compile-server.mjs", folder], {
    NODE_COMPILE_CACHE: join(ROOT, folder, "compile-cache"),
  });
}

/**
 * Marks the current build as used by this process, so that it is kept.
 * @returns {string} its folder, relative to the project's: the value of `OBELUS_DIST_DIR`.
 */
export function claimBuild() {
  const name = readCurrent();
  if (!name) throw new Failure("There is no build; run npm run build.");
  // A sealed tree has only one build, which is never removed.
  if (isSealed()) return join(BUILDS, name);
  const mark = join(ROOT, BUILDS, name, `${USED_BY}${process.pid}`);
  try {
    writeFileSync(mark, "");
  } catch (error) {
    // Likewise.
    if (isErrorCode(error, "EROFS")) return join(BUILDS, name);
    throw error;
  }
  process.on("exit", () => rmSync(mark, { force: true }));
  return join(BUILDS, name);
}

/** Makes the tree read-only from now on. */
export function seal() {
  writeFileSync(SEAL, "");
}

export function isSealed() {
  return existsSync(SEAL);
}

/** The name of the current build; null for none. */
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
 * The files below a path, in a stable order; none if it does not exist.
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
