import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

// For durability, files are synced first, then the folder that contains their names.

/**
 * Creates a folder, readable by its owner only, if it is missing. Throws the system's error if it cannot be written.
 */
export function makeFolder(path: string): void {
  let there = path;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  // Checked first: on a read-only file system, Node's error for a missing folder is that it is missing.
  accessSync(there, constants.W_OK);
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Syncs a file, or a folder's entries, to disk. */
export function syncToDisk(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Writes and syncs a file that only its owner can read. */
export function writeDurably(path: string, content: string): void {
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  syncToDisk(path);
}

/** Copies and syncs a file, readable by its owner only. */
export function copyDurably(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  // The copy has the permissions of the original.
  chmodSync(to, 0o600);
  syncToDisk(to);
}
