import type { AccessStorage } from "../../db/access.ts";
import { nameFault } from "../../lib/access/rules.ts";
import { readConfig } from "../../lib/server/config.ts";
import { createLogger } from "../../lib/server/logger.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { openAccessData } from "../../lib/server/wiring/open-data.ts";

// Shared code of the commands for users and keys.

/** Opens users and keys of the configured data, also while a server is running. */
export async function withAccess<T>(command: (storage: AccessStorage) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const storage = await openAccessData(config, createLogger(config.logLevel));
  try {
    return await command(storage);
  } finally {
    await storage.close();
  }
}

/** Throws `StartupError` for an invalid name. */
export function checkName(name: string): string {
  const fault = nameFault(name);
  if (fault !== null) throw new StartupError(`${name} ${fault}.`);
  return name;
}

/** One of these words. Throws `StartupError` for others. */
export function oneOf<T extends string>(words: readonly T[], given: string | undefined, what: string): T {
  const word = words.find((each) => each === given);
  if (word === undefined) throw new StartupError(`${what} must be one of ${words.join(", ")}.`);
  return word;
}

/** Prints rows in columns; the first row is the header. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
