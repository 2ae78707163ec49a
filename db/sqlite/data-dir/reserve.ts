import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The largest results of eight tools. */
const RESERVE_BYTES = 8_000_000;

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
    writeFileSync(file, Buffer.alloc(RESERVE_BYTES, 1), { mode: 0o600 });
    return true;
  } catch (error) {
    rmSync(file, { force: true });
    if (error instanceof Error && "code" in error && NO_ROOM.has(String(error.code))) return false;
    throw error;
  }
}

export function releaseReserve(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}

function fileIn(dataDir: string): string {
  return join(dataDir, "reserve");
}
