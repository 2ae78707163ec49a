import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileSystemError } from "./file-system-error.ts";
import { makeFolder } from "./folders.ts";

/** Reports something about the data directory to the operator, as a sentence. */
export type Tell = (sentence: string) => void;

/** Prefixes of the files that Obelus writes in a data directory, and files that file systems create. */
const OURS = /^(obelus\.sqlite|lock\.(sqlite|pid)|secret\.key|portal\.db|telemetry\.json|reserve$|tmp$|lost\+found$)/;

const OTHERS_RIGHTS = 0o077;
const FOLDER = 0o700;
const FILE = 0o600;

/**
 * Creates a data directory if it is missing, and makes it and its files readable by their owner only, also those of
 * earlier versions. A directory that contains other things keeps its permissions: it may be a home directory, or
 * `/tmp`. Throws `DataRefused` if it cannot be written.
 */
export function makeDataDir(dataDir: string, tell: Tell): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw fileSystemError(error, dataDir) ?? error;
  }
  // Windows has no such permissions: a folder inherits those of its parent.
  if (process.platform !== "win32") keepToOwner(dataDir, tell);
}

function keepToOwner(dataDir: string, tell: Tell): void {
  const names = readdirSync(dataDir);
  const files = names.filter((name) => OURS.test(name)).map((name) => join(dataDir, name));
  const open = files.filter((path) => isOpen(path, "file"));
  const isShared = isOpen(dataDir, "folder");
  const mixed = names.find((name) => !OURS.test(name));
  try {
    for (const path of open) chmodSync(path, FILE);
    if (isShared && mixed === undefined) chmodSync(dataDir, FOLDER);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return tell(
      `The data directory is readable by other users, and its mode cannot be changed (${reason}); chmod it to 700`,
    );
  }
  if (isShared && mixed !== undefined)
    tell(
      `The data directory is readable by other users and contains other files (${mixed}), so its mode was not changed; use a directory of its own`,
    );
  else if (isShared || open.length > 0)
    tell("The data directory was readable by other users; it is now restricted to its owner");
}

function isOpen(path: string, kind: "file" | "folder"): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !(kind === "file" ? found.isFile() : found.isDirectory())) return false;
  return (found.mode & OTHERS_RIGHTS) !== 0;
}
