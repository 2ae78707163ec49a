import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, with a trailing slash. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The folder of a build that has the bundled programs. */
export const PROGRAMS = "programs";

const BIN = join(ROOT, "node_modules", ".bin");
const WINDOWS = process.platform === "win32";
const KEEPER = fileURLToPath(new URL("./keeper.mjs", import.meta.url));
/** The interval of progress messages for a silent command. */
const PROGRESS_MS = 10_000;
/** The exit code of a process killed by a signal is this plus the signal's number. */
const KILLED = 128;

/**
 * Whether an error has this code of the operating system.
 * @param {unknown} error
 * @param {string} code
 */
export function isErrorCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * Whether a process with this id is running.
 * @param {number} pid
 */
export function isRunning(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrorCode(error, "EPERM");
  }
}

/**
 * Runs a command in the project's folder, with the project's own Node and tools first on its path. A signal to
 * this process ends the command and all that it started, then this process; so does its end, however it comes.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, stdio?: "inherit" | "collect" | "both" }} [options] `collect` keeps the
 *   output for `output` instead of showing it; `both` shows it, too.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { env = {}, stdio = "inherit" } = {}) {
  const show = stdio === "inherit" ? "inherit" : "pipe";
  const inProject = { cwd: ROOT, env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH}`, ...env } };
  // By name: the Node that runs this may be about to be reinstalled.
  const child = WINDOWS
    ? spawn(command, args, { ...inProject, stdio: ["ignore", show, show], shell: true })
    : spawn("node", [KEEPER, command, ...args], {
        ...inProject,
        stdio: ["ignore", show, show, "ipc"],
        detached: true,
      });
  const stop = stopWith(child);
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  let output = "";
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from?.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
      if (stdio === "both") to.write(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** @param {import("node:child_process").ChildProcess} child */
function stopWith(child) {
  /** @param {NodeJS.Signals} signal */
  return (signal) => {
    if (child.pid && !WINDOWS) process.kill(-child.pid, "SIGTERM");
    else child.kill();
    child.on("close", () => process.exit(signal === "SIGINT" ? 130 : 143));
  };
}

/**
 * Runs a long command: prints what is being done and that it continues, its output only if it fails, and then throws a
 * `Failure` that has whether it was killed.
 * @param {string} what "Building the console"
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string | undefined>} [env]
 */
export async function runQuietly(what, command, args, env = {}) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  console.log(`${what} …`);
  const progress = setInterval(() => console.log(`  ${seconds()}`), PROGRESS_MS);
  try {
    const { code, output } = await run(command, args, { env, stdio: "collect" });
    if (code !== 0)
      throw new Failure(`${what} failed after ${seconds()}:\n\n${output.trim()}`, { isKilled: code > KILLED });
  } finally {
    clearInterval(progress);
  }
  console.log(`  done in ${seconds()}`);
}

/** An error that the user can fix: shown without a stack. */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {{ isKilled?: boolean }} [how]
   */
  constructor(message, { isKilled = false } = {}) {
    super(message);
    /** The command was killed. */
    this.isKilled = isKilled;
  }
}

/**
 * Runs a script and exits with 1 if it fails.
 * @param {() => Promise<void>} work
 */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Failure ? error.message : (refusal(error) ?? error));
    process.exit(1);
  }
}

/**
 * A file system error as a sentence; null for other errors.
 * @param {unknown} error
 */
function refusal(error) {
  if (!(error instanceof Error && "path" in error)) return null;
  if (isErrorCode(error, "EROFS"))
    return `${error.path} is on a file system that is mounted read-only; mount it for writing, or seal the project where it is built: node scripts/seal.mjs`;
  if (isErrorCode(error, "EACCES") || isErrorCode(error, "EPERM"))
    return `${error.path} cannot be written; give this user the right to, or start Obelus as the project's owner`;
  if (isErrorCode(error, "ENOSPC")) return `The disk of ${error.path} is full; make room on it`;
  return null;
}
