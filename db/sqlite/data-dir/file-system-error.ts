import { relative } from "node:path";
import { DataRefused } from "../../errors.ts";

/**
 * A sentence for the operator about an error of the operating system in a folder; null for any other error. `setting`
 * is the variable that names the folder; null if a command named it.
 */
export function fileSystemError(
  error: unknown,
  folder: string,
  setting: string | null = "OBELUS_DATA_DIR",
): DataRefused | null {
  const sentence = sentenceOf(error, folder, setting);
  return sentence === null ? null : new DataRefused(sentence, { cause: error });
}

function sentenceOf(error: unknown, folder: string, setting: string | null): string | null {
  if (!(error instanceof Error && "code" in error)) return null;
  const remedy = setting === null ? "use another folder" : `set ${setting} to another directory`;
  switch (error.code) {
    case "EROFS":
      return `${folder} is on a file system that is mounted read-only; mount it for writing, or ${remedy}`;
    case "EACCES":
    case "EPERM":
    case "SQLITE_READONLY":
    case "SQLITE_READONLY_DIRECTORY":
    case "SQLITE_CANTOPEN":
      return refusalOf(pathOf(error) ?? folder, folder, remedy);
    case "ENOTDIR":
    case "EEXIST":
      return `${folder} is not a directory; ${setting === null ? "name one" : `set ${setting} to one`}`;
    case "ENOSPC":
    case "EDQUOT":
    case "SQLITE_FULL":
      return `The disk of ${folder} is full; free space, or ${remedy}`;
    default:
      return null;
  }
}

/** The sentence about a path that is not writable; null for one elsewhere, such as a file that is copied. */
function refusalOf(path: string, folder: string, remedy: string): string | null {
  if (isWithin(path, folder)) return `${folder} is not writable; grant this user write access, or ${remedy}`;
  if (isWithin(folder, path)) return `${folder} cannot be created, because ${path} is not writable; ${remedy}`;
  return null;
}

function isWithin(path: string, folder: string): boolean {
  return !relative(folder, path).startsWith("..");
}

function pathOf(error: Error): string | null {
  return "path" in error && typeof error.path === "string" ? error.path : null;
}
