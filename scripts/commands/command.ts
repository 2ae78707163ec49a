import { type ParseArgsConfig, parseArgs } from "node:util";
import { StorageError } from "../../db/errors.ts";
import { StartupError } from "../../lib/server/startup-error.ts";

// What the commands on the data directory have in common.

const CLEAR_LINE = "\r\u001b[K";

/**
 * Runs a command; what the person at the terminal can put right is said in a sentence, and makes the exit code 1. Files and
 * folders that it makes are their owner's alone.
 */
export async function runCommand(command: (args: string[]) => Promise<void>): Promise<void> {
  process.umask(0o077);
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    if (error instanceof StorageError) console.error(`${error.message}.`);
    else if (error instanceof StartupError) console.error(error.message);
    else if (isOfTheSystem(error)) console.error(`${error.message}; check permissions and the disk, and run it again.`);
    else throw error;
    process.exitCode = 1;
  }
}

/** A file or folder that this user may not read or write, or that its disk does not let be; the message names it. */
function isOfTheSystem(error: unknown): error is Error {
  return error instanceof Error && "code" in error && "path" in error && OF_THE_SYSTEM.has(String(error.code));
}

const OF_THE_SYSTEM = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "EMFILE", "ENFILE"]);

/** Reads the arguments of a command. Throws a `StartupError` with `usage` for those that it has not. */
export function readArguments<const Options extends NonNullable<ParseArgsConfig["options"]>>(
  args: string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new StartupError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

/** A line on the terminal that is written over and over; nothing where nobody looks. */
export function liveLine(terminal: NodeJS.WriteStream = process.stderr): { show(line: string): void; clear(): void } {
  if (!terminal.isTTY) return { show: () => undefined, clear: () => undefined };
  return {
    show: (line) => terminal.write(`${CLEAR_LINE}${line.slice(0, terminal.columns - 1)}`),
    clear: () => terminal.write(CLEAR_LINE),
  };
}

/** A count as people read it. */
export function number(value: number): string {
  return value.toLocaleString("en");
}

/** A size as people read it. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}
