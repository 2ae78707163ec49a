import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The largest results of eight tools. */
const RESERVE_BYTES = 8_000_000;
/** Written so often: a buffer of all of it would take longer to fill than to write. */
const BLOCK = Buffer.alloc(80_000, 1);

const NO_ROOM = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/**
 * Reserves disk space for what is in memory when the server stops while the disk is full; returns false if there is
 * none.
 */
export function keepReserve(dataDir: string): boolean {
  const file = fileIn(dataDir);
  if (statSync(file, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return true;
  try {
    // Filled, since a sparse file reserves no space.
    fill(file);
    return true;
  } catch (error) {
    rmSync(file, { force: true });
    if (error instanceof Error && "code" in error && NO_ROOM.has(String(error.code))) return false;
    throw error;
  }
}

function fill(file: string): void {
  const descriptor = openSync(file, "w", 0o600);
  try {
    // On a full disk a write may store less; the next one says why.
    for (let written = 0; written < RESERVE_BYTES; )
      written += writeSync(descriptor, BLOCK, 0, Math.min(BLOCK.length, RESERVE_BYTES - written));
  } finally {
    closeSync(descriptor);
  }
}

export function releaseReserve(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}

function fileIn(dataDir: string): string {
  return join(dataDir, "reserve");
}
