/** The types of elements that arrays are sent with. */
export type ElementType = "text" | "bigint";

/** The values of a row, in the order of its columns. */
export type Row = readonly (string | number | bigint | null)[];

/** The object ids of types, which are the same in every Postgres. */
const TYPE_IDS: Record<ElementType, number> = { text: 25, bigint: 20 };

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const BIGINT_BYTES = 8;
const TWO_TO_32 = 2 ** 32;

/**
 * A column of rows as a parameter: a Postgres array in its binary form, which neither side has to escape or parse. A row that
 * ends before the column has null there. In texts, U+0000 becomes U+FFFD: Postgres has none.
 */
export function columnOf(rows: readonly Row[], index: number, type: ElementType): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + sizeOf(rows, index, type));
  buffer.writeInt32BE(1, 0); // dimensions
  buffer.writeInt32BE(1, 4); // there may be nulls
  buffer.writeInt32BE(TYPE_IDS[type], 8);
  buffer.writeInt32BE(rows.length, 12);
  buffer.writeInt32BE(1, 16); // the first index
  let at = HEADER_BYTES;
  for (const row of rows) {
    const value = row[index] ?? null;
    const length = value === null ? -1 : write(buffer, value, at + LENGTH_BYTES, type);
    buffer.writeInt32BE(length, at);
    at += LENGTH_BYTES + Math.max(0, length);
  }
  return buffer;
}

function sizeOf(rows: readonly Row[], index: number, type: ElementType): number {
  let size = rows.length * LENGTH_BYTES;
  for (const row of rows) {
    const value = row[index] ?? null;
    if (value !== null) size += type === "bigint" ? BIGINT_BYTES : Buffer.byteLength(textOf(value));
  }
  return size;
}

/** Writes an element; returns its length in bytes. */
function write(buffer: Buffer, value: string | number | bigint, at: number, type: ElementType): number {
  if (type === "text") return buffer.write(textOf(value), at);
  if (typeof value === "bigint") buffer.writeBigInt64BE(value, at);
  else writeInteger(buffer, Number(value), at);
  return BIGINT_BYTES;
}

/** As `writeBigInt64BE`, without a bigint for each number. */
function writeInteger(buffer: Buffer, value: number, at: number): void {
  const high = Math.floor(value / TWO_TO_32);
  buffer.writeInt32BE(high, at);
  buffer.writeUInt32BE(value - high * TWO_TO_32, at + 4);
}

function textOf(value: string | number | bigint): string {
  return typeof value === "string" ? withoutNul(value) : String(value);
}

/** Postgres has no U+0000 in text. What may have it, payloads and what is said, is stored as JSON, which escapes it. */
export function withoutNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}
