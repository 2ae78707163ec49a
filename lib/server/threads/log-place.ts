import { z } from "zod";
import type { LogReader } from "../../../db/log-reader.ts";

/** Where the log is: in an SQLite file, or in a Postgres database. */
export const logPlace = z.union([z.object({ file: z.string() }), z.object({ url: z.string() })]);

export type LogPlace = z.infer<typeof logPlace>;

/** Opens the log for reading. Loads only the storage that it is in. */
export async function openLogReader(place: LogPlace): Promise<LogReader> {
  if ("file" in place) return (await import("../../../db/sqlite/log/events.ts")).openLogReader(place.file);
  return (await import("../../../db/postgres/log/events.ts")).openLogReader(place.url);
}
