import { fsyncSync, readSync, writeSync } from "node:fs";

/** The file header, before that of the first page. */
const FILE_HEADER = 100;

/** The header length of each kind of b-tree page, by its first byte. */
const TREE_HEADERS: ReadonlyMap<number | undefined, number> = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
]);

/**
 * From here on (137 GB) the number with which a page of overflow begins may look like the first byte of a b-tree's page.
 */
const MOST_PAGES = 2 ** 25;

const ZEROS = Buffer.alloc(65_536);

/**
 * The unallocated gap between a page's cell pointers and its cells. When SQLite balances a tree, it moves cells and
 * leaves their old content in the gap, even with `secure_delete`, which clears everything else that it frees.
 * (`rebuildPage` of sqlite3.c does not clear it; `zeroPage`, `freeSpace`, `freePage2` and `defragmentPage` do.)
 */
export function gapOf(page: Buffer, number: number): { from: number; to: number } | null {
  const header = number === 1 ? FILE_HEADER : 0;
  const length = TREE_HEADERS.get(page[header]);
  if (length === undefined) return null;
  const from = header + length + 2 * page.readUInt16BE(header + 3);
  const to = page.readUInt16BE(header + 5) || 65_536;
  // Not a valid tree page; a damaged file is left as it is.
  return from <= to && to <= page.length ? { from, to } : null;
}

/**
 * Clears the gaps of these pages of a database file that nobody writes to meanwhile: SQLite never reads gaps. Returns
 * how many it cleared.
 */
export function clearGaps(file: number, numbers: Iterable<number>): number {
  const page = Buffer.alloc(pageSizeOf(file));
  let cleared = 0;
  for (const number of numbers) {
    const start = (number - 1) * page.length;
    if (readSync(file, page, 0, page.length, start) < page.length) continue;
    const gap = gapOf(page, number);
    if (!gap || ZEROS.compare(page, gap.from, gap.to, 0, gap.to - gap.from) === 0) continue;
    writeSync(file, ZEROS, 0, gap.to - gap.from, start + gap.from);
    cleared += 1;
  }
  if (cleared > 0) fsyncSync(file);
  return cleared;
}

/** The number of pages of a file of this size. */
export function countPages(file: number, bytes: number): number {
  const pages = Math.floor(bytes / pageSizeOf(file));
  if (pages >= MOST_PAGES) throw new Error(`A database of ${pages} pages is too large to tell its pages apart`);
  return pages;
}

function pageSizeOf(file: number): number {
  const header = Buffer.alloc(FILE_HEADER);
  readSync(file, header, 0, FILE_HEADER, 0);
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}
