import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROGRAMS, ROOT } from "./process.mjs";

/** Error codes for damaged modules and native libraries. */
const CODES = new Set([
  "ERR_DLOPEN_FAILED",
  "ERR_INVALID_PACKAGE_CONFIG",
  "ERR_MODULE_NOT_FOUND",
  "ERR_PACKAGE_PATH_NOT_EXPORTED",
  "MODULE_NOT_FOUND",
]);
const NATIVE = /bindings file|native binding/i;
/** Errors from running a truncated module. */
const BROKEN = new Set(["SyntaxError", "TypeError", "ReferenceError"]);

const PLACE = /node_modules\/(?:@[\w.-]+\/)?[\w.-]+(?:\/node_modules\/(?:@[\w.-]+\/)?[\w.-]+)*/;
const QUOTED = /['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g;
const NOT_FOUND = /Cannot find (?:module|package) .*(?:\nRequire stack:\n.*)?/g;

/**
 * The packages that seem to be damaged, from an error during the server's start: their folders, empty if unknown. Null:
 * the error has another reason.
 * @param {unknown} error
 * @returns {string[] | null}
 */
export function damagedBy(error) {
  if (!(error instanceof Error)) return null;
  const [top = ""] = (error.stack ?? "").match(/^.*(?:file:\/\/|\s\(?\/|^\/).*$/m) ?? [];
  const text = `${error.message}\n${top}`;
  const code = "code" in error ? String(error.code) : "";
  if (CODES.has(code) || NATIVE.test(error.message)) return packagesIn(text);
  // A syntax error does not name its module.
  if (error.name === "SyntaxError" && code === "" && top === "") return packagesThatCannotBeLoaded();
  if (!BROKEN.has(error.name)) return error.cause === undefined ? null : damagedBy(error.cause);
  const packages = packagesIn(text);
  return packages.length === 0 ? null : packages;
}

/** Loads all of the server in a process that prints where it fails. */
function packagesThatCannotBeLoaded() {
  const server = join(ROOT, process.env.OBELUS_DIST_DIR ?? "", PROGRAMS, "server.mjs");
  const load = ["--input-type=module", "-e", `await import(${JSON.stringify(pathToFileURL(server).href)})`];
  return packagesIn(spawnSync(process.execPath, load, { cwd: ROOT, encoding: "utf8" }).stderr);
}

/**
 * The same for a build, from its output.
 * @param {string} output
 */
export function damagedByBuild(output) {
  return packagesIn((output.match(NOT_FOUND) ?? []).join("\n"));
}

/**
 * The installed packages in a text, by folder.
 * @param {string} text
 */
function packagesIn(text) {
  const places = text.match(new RegExp(PLACE, "g")) ?? [];
  const names = [...text.matchAll(QUOTED)].map(([, name]) => `node_modules/${name}`);
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  return [...new Set([...places, ...names])].filter((path) => path in packages);
}

/** Whether a package seems to be complete, by one of its files. */
export function isThere(/** @type {string} */ path) {
  return existsSync(join(ROOT, path, "package.json"));
}
