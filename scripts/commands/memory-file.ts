import { basename } from "node:path";

const ENDING = ".json";

/** The name of a user's file: the user's id, with characters that are not allowed encoded. */
export function fileNameOf(userId: string): string {
  return `${encodeURIComponent(userId)}${ENDING}`;
}

/** The user of a file; null for other names. */
export function userIdOf(file: string): string | null {
  const name = basename(file);
  if (!isUserFile(name)) return null;
  try {
    return decodeURIComponent(name.slice(0, -ENDING.length));
  } catch {
    return null;
  }
}

/** Whether a file in a folder may be a user's: temporary ones begin with a dot. */
export function isUserFile(name: string): boolean {
  return name.endsWith(ENDING) && !name.startsWith(".") && name.length > ENDING.length;
}

/** The API path of a user's document. */
export function addressOf(userId: string): string {
  return `/api/memory/${encodeURIComponent(userId)}`;
}
