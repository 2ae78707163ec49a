import { createHash } from "node:crypto";
import { BadCursor } from "../errors.ts";
import type { Page } from "../repositories.ts";

/** A position in a list: the sort key of a row, and the direction of the page. */
export interface Cursor<Key> {
  direction: "next" | "prev";
  key: Key;
}

type KeyPart = string | number;

/** What a list is: its name, what it is about, its order. Its cursors carry this, so that no other list takes them. */
type List = readonly string[];

/** The sort key of a list. */
export interface SortKey<Key extends readonly KeyPart[], Row> {
  list: List;
  /** Tells whether what a cursor carries is a key of this list. */
  isKey: (parts: readonly unknown[]) => parts is Key;
  keyOf: (row: Row) => Key;
}

/** A list that can be paged both ways by its sort key. */
export interface Keyset<Key extends readonly KeyPart[], Row> extends SortKey<Key, Row> {
  /** At most `limit` rows from the cursor on, nearest first: for `prev` that is the list's order reversed. They are read as they are asked for. */
  read: (cursor: Cursor<Key> | null, limit: number) => Iterable<Row>;
}

/** The same of a storage that answers later. */
export interface RemoteKeyset<Key extends readonly KeyPart[], Row> extends SortKey<Key, Row> {
  read: (cursor: Cursor<Key> | null, limit: number) => Promise<readonly Row[]>;
}

/** A page ends with the row that brings its texts to this size, in characters. A message may have 5 MB. */
const LARGEST_PAGE = 1024 * 1024;

/** A page of a list, with fewer than `limit` rows if they are large. Throws `BadCursor`. */
export function readPage<Key extends readonly KeyPart[], Row extends object>(
  keyset: Keyset<Key, Row>,
  { cursor: text, limit }: { cursor?: string; limit: number },
): Page<Row> {
  const cursor = text === undefined ? null : decode(text, keyset);
  return pageOf(keyset, cursor, limit, keyset.read(cursor, limit + 1));
}

/** The same of a storage that answers later. */
export async function readRemotePage<Key extends readonly KeyPart[], Row extends object>(
  keyset: RemoteKeyset<Key, Row>,
  { cursor: text, limit }: { cursor?: string; limit: number },
): Promise<Page<Row>> {
  const cursor = text === undefined ? null : decode(text, keyset);
  return pageOf(keyset, cursor, limit, await keyset.read(cursor, limit + 1));
}

function pageOf<Key extends readonly KeyPart[], Row extends object>(
  keyset: SortKey<Key, Row>,
  cursor: Cursor<Key> | null,
  limit: number,
  rows: Iterable<Row>,
): Page<Row> {
  const items: Row[] = [];
  let size = 0;
  let more = false;
  for (const row of rows) {
    more = items.length === limit || size >= LARGEST_PAGE;
    if (more) break;
    items.push(row);
    size += sizeOf(row);
  }
  const backward = cursor?.direction === "prev";
  if (backward) items.reverse();
  const [first] = items;
  const last = items.at(-1);
  return {
    items,
    next: last && (backward || more) ? encode(keyset.list, { direction: "next", key: keyset.keyOf(last) }) : null,
    prev:
      first && (backward ? more : cursor !== null)
        ? encode(keyset.list, { direction: "prev", key: keyset.keyOf(first) })
        : null,
  };
}

function sizeOf(row: object): number {
  return Object.values(row).reduce(
    (sum: number, value: unknown) => sum + (typeof value === "string" ? value.length : 0),
    0,
  );
}

/** The sort key of a list by one number. */
export function isNumberKey(parts: readonly unknown[]): parts is readonly [number] {
  return parts.length === 1 && Number.isSafeInteger(parts[0]);
}

/** The cursor of a list of steps that goes one way. */
export function encodeStep(list: List, seq: number): string {
  return encode(list, { direction: "next", key: [seq] });
}

/** The step of such a cursor. Throws `BadCursor`. */
export function decodeStep(list: List, text: string | undefined): number | undefined {
  return text === undefined ? undefined : decode(text, { list, isKey: isNumberKey }).key[0];
}

function encode(list: List, { direction, key }: Cursor<readonly KeyPart[]>): string {
  return Buffer.from(JSON.stringify([digestOf(list), direction, ...key])).toString("base64url");
}

function decode<Key extends readonly KeyPart[]>(
  text: string,
  { list, isKey }: Pick<SortKey<Key, never>, "list" | "isKey">,
): Cursor<Key> {
  const [of, direction, ...key] = parse(text);
  if (of !== digestOf(list) || (direction !== "next" && direction !== "prev") || !isKey(key)) throw new BadCursor();
  return { direction, key };
}

/** The ids of what a list is about can be long. */
function digestOf(list: List): string {
  return createHash("sha256").update(JSON.stringify(list)).digest("base64url").slice(0, 8);
}

function parse(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
