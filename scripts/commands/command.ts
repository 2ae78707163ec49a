import { StorageError } from "../../db/errors.ts";
import { ownCommands } from "../../lib/server/own-commands.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { Refusal } from "./call-server.ts";

// Shared code of the commands.

const CLEAR_LINE = "\r\u001b[K";

/**
 * Runs a command; errors that the user can fix are printed as a sentence, with exit code 1. Files and folders that it
 * creates are private to their owner.
 */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  process.umask(0o077);
  try {
    await command();
  } catch (error) {
    if (error instanceof StorageError) console.error(`${ownCommands(error.message)}.`);
    else if (error instanceof StartupError || error instanceof Refusal) console.error(ownCommands(error.message));
    else if (isFileSystemError(error))
      console.error(`${error.message}; check permissions and the disk, and run it again.`);
    else throw error;
    process.exitCode = 1;
  }
}

/** A file system error, whose message names the file. */
function isFileSystemError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && "path" in error && OF_THE_SYSTEM.has(String(error.code));
}

const OF_THE_SYSTEM = new Set(["ENOENT", "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "EMFILE", "ENFILE"]);

/** A line on the terminal that is overwritten; nothing without a terminal. */
export function liveLine(terminal: NodeJS.WriteStream = process.stderr): { show(line: string): void; clear(): void } {
  if (!terminal.isTTY) return { show: () => undefined, clear: () => undefined };
  return {
    show: (line) => terminal.write(`${CLEAR_LINE}${line.slice(0, terminal.columns - 1)}`),
    clear: () => terminal.write(CLEAR_LINE),
  };
}

/** A line for the terminal, which would carry out control characters in it: what users and models said can have some. */
export function printable(line: string): string {
  return line.replaceAll(
    /\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A formatted count. */
export function number(value: number): string {
  return value.toLocaleString("en");
}

/** A formatted size. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}
