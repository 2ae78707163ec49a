import { isDeepStrictEqual } from "node:util";
import { keyOf, MOVED, type MovedTable, type Row, type Side, type Target } from "./tables.ts";

/** Where a move is. */
export interface MoveProgress {
  phase: "copying" | "comparing" | "views";
  /** The table, if it is one. */
  table: string | null;
  done: number;
  total: number;
}

export type OnMoving = (progress: MoveProgress) => void;

/** Copies what the target does not have yet: each table goes on after the last row there. Gives the number of rows of all. */
export async function copyTables(source: Side, target: Target, onProgress: OnMoving): Promise<number> {
  let rows = 0;
  for (const table of MOVED) {
    const total = await source.count(table);
    let done = await target.count(table);
    const tell = () => onProgress({ phase: "copying", table: table.name, done, total });
    tell();
    for await (const page of pagesOf(source, table, await target.last(table))) {
      await target.write(table, page);
      done += page.length;
      tell();
    }
    rows += done;
  }
  return rows;
}

/** Compares all rows; gives the places where the two differ, at most `most`. */
export async function compareTables(source: Side, target: Side, most: number, onProgress: OnMoving): Promise<string[]> {
  const faults: string[] = [];
  for (const table of MOVED) {
    const total = await source.count(table);
    let done = 0;
    const theirs = rowsOf(target, table);
    for await (const row of rowsOf(source, table)) {
      const other = await theirs.next();
      if (other.done || !isDeepStrictEqual(row, other.value))
        faults.push(`${table.name} ${keyOf(table, row).join("/")}`);
      // One that is missing moves all others.
      if (faults.length > 0) break;
      done += 1;
      if (done % 10_000 === 0) onProgress({ phase: "comparing", table: table.name, done, total });
    }
    if (faults.length === 0) {
      const more = await theirs.next();
      if (!more.done) faults.push(`${table.name} ${keyOf(table, more.value).join("/")}`);
    }
    if (faults.length >= most) break;
  }
  return faults;
}

async function* pagesOf(side: Side, table: MovedTable, after: Row | null): AsyncGenerator<Row[]> {
  for (let last = after; ; ) {
    const page = await side.read(table, last);
    if (page.length === 0) return;
    yield page;
    last = page.at(-1) ?? null;
  }
}

async function* rowsOf(side: Side, table: MovedTable): AsyncGenerator<Row> {
  for await (const page of pagesOf(side, table, null)) yield* page;
}
