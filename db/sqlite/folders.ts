import { chmodSync, closeSync, constants, copyFileSync, fsyncSync, openSync, writeFileSync } from "node:fs";

// What has to outlast a power cut is brought to the disk, first the files and then the folder that names them.

/** Waits until a file, or what a folder says of its files, is on disk. */
export function toDisk(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Writes a file that only its owner can read, and waits until it is on disk. */
export function writeToDisk(path: string, content: string): void {
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  toDisk(path);
}

/** Copies a file for its owner alone, and waits until it is on disk. */
export function copyToDisk(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  // It came with the rights of the one that it was copied from.
  chmodSync(to, 0o600);
  toDisk(to);
}
