import { columnOf } from "../arrays.ts";
import type { Queries, Value } from "../database.ts";

/** How rows are read by their keys. A key of several parts is a JSON array of them. */
export interface Lookup {
  /** Gives a row's columns, and its key as `lookup_key`; takes the keys as an array, and one for each part where there are several. */
  sql: string;
  parts: number;
}

/** Undoes what was done since a mark, newest first. */
export class Undo {
  #steps: (() => void)[] = [];
  #mark = 0;

  add(step: () => void): void {
    this.#steps.push(step);
  }

  clear(): void {
    this.#steps = [];
    this.#mark = 0;
  }

  mark(): void {
    this.#mark = this.#steps.length;
  }

  back(): void {
    for (const step of this.#steps.splice(this.#mark).reverse()) step();
  }
}

/**
 * What is known of a table: rows as they are stored, and over them what was written since. A row that has not been looked up
 * counts as missing, and its key is noted, so that whoever decided by it can look it up and decide again.
 */
export class KnownRows<Row extends object> {
  readonly #lookup: Lookup;
  readonly #stored = new Map<string, Row | null>();
  readonly #unknown = new Set<string>();
  #written = new Map<string, Row | null>();

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  get(key: string): Row | undefined {
    const written = this.#written.get(key);
    if (written !== undefined) return written ?? undefined;
    const stored = this.#stored.get(key);
    if (stored === undefined) this.#unknown.add(key);
    return stored ?? undefined;
  }

  /** Notes a key, so that its row is looked up. */
  expect(key: string): void {
    if (!this.#stored.has(key)) this.#unknown.add(key);
  }

  /** Null: there is none from now on. */
  set(key: string, row: Row | null, undo: Undo): void {
    const before = this.#written.get(key);
    this.#written.set(key, row);
    undo.add(() => {
      if (before === undefined) this.#written.delete(key);
      else this.#written.set(key, before);
    });
  }

  /** Forgets what was written, and keeps what is known to be stored. */
  reset(): void {
    this.#written = new Map();
  }

  /** Looks up what was asked for and not known; tells whether any of it is there. */
  async read(queries: Queries): Promise<boolean> {
    if (this.#unknown.size === 0) return false;
    const keys = [...this.#unknown];
    this.#unknown.clear();
    const found = await queries.rows<Row & { lookup_key: string }>(this.#lookup.sql, this.#columns(keys));
    for (const key of keys) this.#stored.set(key, null);
    for (const row of found) this.#stored.set(row.lookup_key, row);
    return found.length > 0;
  }

  #columns(keys: readonly string[]): Value[] {
    const { parts } = this.#lookup;
    if (parts === 1)
      return [
        columnOf(
          keys.map((key) => [key]),
          0,
          "text",
        ),
      ];
    const split = keys.map((key): (string | number)[] => JSON.parse(key));
    return [keys, ...Array.from({ length: parts }, (_, part) => split.map((key) => key[part] ?? null))];
  }
}

/** The key of several parts. */
export function joined(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts);
}
