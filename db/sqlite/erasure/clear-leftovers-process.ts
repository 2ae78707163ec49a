import { once } from "node:events";
import { fstatSync, openSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Connection, openForReading, openForWriting } from "../connection.ts";
import { clearGaps, countPages } from "./page-gaps.ts";
import { WalPages } from "./wal-pages.ts";

// The process of `clearLeftovers`. It is separate because closing a file releases all locks of the process on it,
// including SQLite's.

/** How many pages are read before a pause of equal length. */
const A_PART = 256;

/** How many pages can be cleared in some milliseconds, while the writer waits. */
const FEW = 500;

/** Bounds the number of rounds when writes never pause. */
const MOST_ROUNDS = 10;

/** How often, and how long, it waits for readers of an older snapshot, ms: a backup takes a while. */
const EACH_MS = 100;
const PATIENCE_MS = 300_000;

const database = process.argv[2] ?? "";
const checkpoints = openForWriting(database, "full");
checkpoints.pragma("busy_timeout = 0");
/** While it reads only from the database file, SQLite cannot checkpoint: commits stay in the write-ahead log. */
const freezing = openForReading(database);
/** While it reads from the write-ahead log, the log is not reset and lists everything that was written. */
const holding = openForReading(database);
const wal = new WalPages(database);
// Closed by the end of the process: see above.
const file = openSync(database, "r+");

// The server has ended: the next one starts again.
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
 * Checkpoints everything, empties the write-ahead log, and blocks checkpoints. All connections drop their page caches.
 * Calls `meanwhile` with the pages written since the last time, before other writes continue.
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
      // A command may write at the same time.
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

/** Runs `work` while the server's writer waits. */
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
