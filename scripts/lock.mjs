import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isErrorCode, isRunning } from "./process.mjs";

const RETRY_MS = 200;

/**
 * Runs `work` while no other process of this machine runs work under the same lock file. A lock whose process has
 * died is taken over. It saves double work; what must not mix is kept apart by unique names.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  for (let holder = take(file); holder !== null; holder = take(file)) {
    if (!isRunning(holder)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!told) console.log(`Waiting for process ${holder}, which is preparing Obelus …`);
    told = true;
    await wait(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Takes the lock, or names the process that holds it.
 *
 * @param {string} file
 * @returns {number | null}
 */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return null;
  } catch (error) {
    if (!isErrorCode(error, "EEXIST")) throw error;
  }
  try {
    return Number(readFileSync(file, "utf8"));
  } catch (error) {
    // It was freed between the two looks: nobody holds it, and the next try takes it.
    if (isErrorCode(error, "ENOENT")) return Number.NaN;
    throw error;
  }
}
