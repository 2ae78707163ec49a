import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isErrorCode, ROOT } from "./process.mjs";

/** The lock of installing and building. */
export const PREPARING = join(ROOT, ".build", "lock");

const RETRY_MS = 200;
/** The holder of the lock touches it at this interval. */
const BEAT_MS = 1000;
/**
 * A lock that is older, or has a future time, belongs to a killed process. Process ids are reused, and so do not
 * identify it.
 */
const DEAD_MS = 10_000;

/**
 * Runs `work` under a lock file, one process at a time. It only avoids double work; unique names prevent conflicts.
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
 * Acquires the lock; false while another process holds it.
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
