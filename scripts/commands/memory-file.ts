import { basename } from "node:path";

const ENDING = ".json";

/** What the file of a user is called: by the user's id, with what no file name may hold encoded. */
export function fileNameOf(userId: string): string {
  return `${encodeURIComponent(userId)}${ENDING}`;
}

/** Whose file this is; null for a name that no user's file has. */
export function userIdOf(file: string): string | null {
  const name = basename(file);
  if (!isUserFile(name)) return null;
  try {
    return decodeURIComponent(name.slice(0, -ENDING.length));
  } catch {
    return null;
  }
}

/** Whether a folder's file is meant as a user's: what begins with a dot is not yet written to its end. */
export function isUserFile(name: string): boolean {
  return name.endsWith(ENDING) && !name.startsWith(".") && name.length > ENDING.length;
}

/** Where the server keeps a user's document. */
export function addressOf(userId: string): string {
  return `/api/memory/${encodeURIComponent(userId)}`;
}
