import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DataRefused } from "../../errors.ts";
import type { Connection } from "../connection.ts";

/** Written last, so that a folder with a manifest is a complete backup. */
export const MANIFEST_FILE = "manifest.json";

const counts = z.object({ conversations: z.int(), events: z.int(), messages: z.int() });

const manifest = z.object({
  /** The version of Obelus that created it. */
  version: z.string(),
  created_at: z.iso.datetime(),
  /** The newest position of the log in it. */
  position: z.int(),
  counts,
  /** The size of obelus.sqlite. */
  bytes: z.int(),
  sha256: z.string(),
  /** Whether it includes secret.key. */
  secret_key: z.boolean(),
});
export type Manifest = z.infer<typeof manifest>;

/** Reads a backup's manifest. Throws `DataRefused`. */
export function readManifest(folder: string): Manifest {
  try {
    return manifest.parse(JSON.parse(readFileSync(join(folder, MANIFEST_FILE), "utf8")));
  } catch (error) {
    throw new DataRefused(
      `${folder} is not a backup: it has no ${MANIFEST_FILE} that can be read; name a folder created by npm run backup`,
      { cause: error },
    );
  }
}

/** Whether a folder is a complete backup. */
export function isBackup(folder: string): boolean {
  try {
    readManifest(folder);
    return true;
  } catch (error) {
    if (error instanceof DataRefused) return false;
    throw error;
  }
}

/** The SHA-256 of a file, as hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest("hex");
}

/** The numbers of rows of a database and its newest position. */
export function countDatabase(connection: Connection): Pick<Manifest, "position" | "counts"> {
  const count = (table: string) => connection.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  return {
    position: newestPosition(connection),
    counts: { conversations: count("conversations"), events: count("events"), messages: count("messages") },
  };
}

/** The newest position of the log; 0 when it is empty. */
export function newestPosition(connection: Connection): number {
  return connection.prepare<[], number | null>("SELECT max(position) FROM events").pluck().get() ?? 0;
}
