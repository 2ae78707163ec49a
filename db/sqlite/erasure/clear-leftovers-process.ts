import { once } from "node:events";
import { fstatSync, openSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Connection, openForReading, openForWriting } from "../connection.ts";
import { clearGaps, countPages } from "./page-gaps.ts";
import { WalPages } from "./wal-pages.ts";

// The process of `clearLeftovers`. It is one of its own because whoever closes a file loses all locks that his process has on
// it, SQLite's included.

/** So many pages are looked at in one go; then it rests as long as that took. */
const A_PART = 256;

/** So many pages are cleared in some milliseconds, while the writer waits. */
const FEW = 500;

/** Whoever writes all the time must not keep it from its end. */
const MOST_ROUNDS = 10;

/** So often, and so long, it waits for those who read an older state of the database, ms: a backup takes its time. */
const EACH_MS = 100;
const PATIENCE_MS = 300_000;

const database = process.argv[2] ?? "";
const checkpoints = openForWriting(database, "full");
checkpoints.pragma("busy_timeout = 0");
/** While it reads from the file alone, SQLite lets nobody write to the file: what is committed stays in the write-ahead log. */
const freezing = openForReading(database);
/** While it reads from the write-ahead log, that is not begun anew, and tells all that was written. */
const holding = openForReading(database);
const wal = new WalPages(database);
// Closed by the end of the process: see above.
const file = openSync(database, "r+");

// The server has ended: the next one begins again.
process.once("disconnect", () => process.exit(1));
await freeze(() => undefined);
await clearInParts(allPages());
for (let round = 1, isDone = false; !isDone; round += 1) {
  const changed = await freeze((pages) => {
    isDone = pages.size <= FEW || round === MOST_ROUNDS;
    if (isDone) clearGaps(file, pages);
  });
  if (!isDone) await clearInParts(changed);
}
process.exit(0);

/**
 * Brings all that is committed into the file, empties the write-ahead log, and keeps the file as it is then. Every connection
 * drops the pages that it has in memory. Gives the pages that were written since the last time, with which `meanwhile` is called before anybody
 * writes again.
 */
async function freeze(meanwhile: (changed: Set<number>) => void): Promise<Set<number>> {
  const changed = new Set<number>();
  begin(holding);
  end(freezing);
  for (let waited = 0; waited < PATIENCE_MS; waited += EACH_MS) {
    // Most of it while others write.
    checkpoints.pragma("wal_checkpoint(PASSIVE)");
    wal.read(changed);
    const isFrozen = await paused(() => {
      wal.read(changed);
      end(holding);
      const busy = checkpoints.pragma("wal_checkpoint(TRUNCATE)", { simple: true });
      begin(freezing);
      // A command may write meanwhile.
      if (busy === 0 && statSync(`${database}-wal`).size === 0) {
        meanwhile(changed);
        return true;
      }
      end(freezing);
      begin(holding);
      return false;
    });
    if (isFrozen) return changed;
    await delay(EACH_MS);
  }
  throw new Error("A reader has kept an older state of the database open for minutes");
}

function begin(connection: Connection): void {
  connection.exec("BEGIN");
  connection.prepare("SELECT 1 FROM sqlite_schema").get();
}

function end(connection: Connection): void {
  if (connection.inTransaction) connection.exec("COMMIT");
}

/** Does something while the server's writer waits. */
async function paused<T>(work: () => T): Promise<T> {
  const isPaused = once(process, "message");
  process.send?.("pause");
  await isPaused;
  try {
    return work();
  } finally {
    process.send?.("go on");
  }
}

function* allPages(): Iterable<number> {
  const count = countPages(file, fstatSync(file).size);
  for (let number = 1; number <= count; number += 1) yield number;
}

async function clearInParts(numbers: Iterable<number>): Promise<void> {
  let part: number[] = [];
  const clearPart = async () => {
    const began = performance.now();
    clearGaps(file, part);
    part = [];
    await delay(performance.now() - began);
  };
  for (const number of numbers) if (part.push(number) === A_PART) await clearPart();
  await clearPart();
}
