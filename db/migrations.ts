import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { z } from "zod";

const folderJournal = z.object({ entries: z.array(z.object({ when: z.int(), tag: z.string() })) });

/** A migration by its name, with the time that the journal knows it by, epoch ms. */
export interface Migration {
  tag: string;
  when: number;
  hash: string;
  sql: readonly string[];
}

/** All migrations of a folder that drizzle-kit wrote, oldest first. */
export function readMigrations(folder: string): Migration[] {
  const { entries } = folderJournal.parse(JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8")));
  const tags = new Map(entries.map(({ when, tag }) => [when, tag]));
  return readMigrationFiles({ migrationsFolder: folder }).map(({ sql, hash, folderMillis }) => {
    const tag = tags.get(folderMillis);
    if (tag === undefined) throw new Error(`The migration of ${folderMillis} is not in the journal`);
    return { tag, when: folderMillis, hash, sql };
  });
}

/** When the newest of them was written, epoch ms. */
export function newestOf(migrations: readonly Migration[]): number {
  return Math.max(...migrations.map(({ when }) => when));
}
