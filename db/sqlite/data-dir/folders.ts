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

// What has to outlast a power cut is brought to the disk, first the files and then the folder that names them.

/** Makes a folder for its owner alone where there is none. Throws what the system says where nothing can be written in it. */
export function makeFolder(path: string): void {
  let there = path;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  // Before it is made: on a read-only file system Node says of a missing folder that it is missing.
  accessSync(there, constants.W_OK);
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

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
