import { bigint, customType } from "drizzle-orm/pg-core";

/**
 * Text that is compared byte by byte, as SQLite does, whatever the locale of the database: ids and keys have the same order in
 * both storages.
 */
export const key = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** An integer up to 2^53, read as a number: positions, and times in epoch ms. */
export const integer = (name: string) => bigint(name, { mode: "number" });

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/** The words of a text with their places. */
export const words = customType<{ data: string }>({ dataType: () => "tsvector" });
