import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isErrorCode, ROOT } from "./process.mjs";

/** Held by whoever installs or builds. */
export const PREPARING = join(ROOT, ".build", "lock");

const RETRY_MS = 200;
/** Whoever holds the lock touches it this often. */
const BEAT_MS = 1000;
/** A lock that was not touched for so long, or is from a time to come, belongs to a process that was killed. Ids of processes would be no sign: they are given out again. */
const DEAD_MS = 10_000;

/**
 * Runs `work` while no other process runs work under the same lock file. It saves double work; what must not mix is
 * kept apart by unique names.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waited = 0; !take(file); waited += RETRY_MS) {
    if (waited === 0) console.log("Waiting for another process that installs or builds …");
    await wait(RETRY_MS);
  }
  const free = () => rmSync(file, { force: true });
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), BEAT_MS);
  process.on("exit", free);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off("exit", free);
    free();
  }
}

/**
 * Takes the lock; false while another process holds it.
 *
 * @param {string} file
 */
function take(file) {
  try {
    writeFileSync(file, "", { flag: "wx" });
    return true;
  } catch (error) {
    if (!isErrorCode(error, "EEXIST")) throw error;
  }
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (touched !== undefined && Math.abs(Date.now() - touched) > DEAD_MS) rmSync(file, { force: true });
  return false;
}
