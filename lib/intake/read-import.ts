import { yielding } from "../event-loop/yielding.ts";
import type { Json } from "../session/json/json.ts";
import { readJson } from "../session/json/json-text.ts";
import { type Element, splitElements } from "./elements.ts";
import { copyConversation } from "./export-format.ts";
import { FORMATS } from "./formats.ts";
import { decompressed } from "./gzip.ts";
import { ImportError } from "./import-error.ts";
import { type Entry, EVENT_DEPTH, type ImportFormat } from "./import-format.ts";
import { type ReadCheckpoints, readLangGraph, SQLITE_MARK } from "./langgraph-format.ts";
import { type Line, splitLines } from "./lines.ts";
import type { ImportedConversation } from "./new-event.ts";

const MB = 1024 * 1024;
/** A whole file, decompressed (E11). */
const FILE_LIMIT = 512 * MB;
/**
 * A line, an array element, or a file that is one object: the limit of a request (E11), plus the fields that stored
 * events have in addition. It is held in memory and parsed at once.
 */
const VALUE_LIMIT = 5 * MB + 64 * 1024;
/** Empty lines: 300 MB of them compress to 300 kB, and each is examined. */
const MOST_BLANK_LINES = 100_000;
/** The maximum whitespace before the first value; it is buffered. */
const MOST_SILENCE = MB;

export interface ImportOptions {
  /** Reads a SQLite file; without it such a file is refused. */
  readCheckpoints?: ReadCheckpoints;
  /** Imports each conversation as a copy with the id that this returns. */
  copyId?: () => string;
  /** Called with changes of the number of held bytes; an exception ends the import. */
  held?: (bytes: number) => void;
}

/** A value in a file. */
interface Piece {
  text: string;
  /** The line on which it starts. */
  line: number;
  /** Its path in a document; null for a line of its own. */
  within: readonly number[] | null;
}

/**
 * Reads a file of conversations as it arrives, one at a time: one value per line, or one JSON document that is a value
 * or an array; optionally gzipped. Its first value determines the format, see `FORMATS`. Throws `ImportError` at the
 * first error.
 */
export async function* readImport(
  bytes: AsyncIterable<Uint8Array>,
  { copyId, readCheckpoints, held = () => undefined }: ImportOptions = {},
): AsyncGenerator<ImportedConversation> {
  const sent = iterated(bytes);
  const source = bounded(decompressed(sent));
  try {
    for await (const conversation of readConversations(source, held, readCheckpoints)) {
      yield copyId ? copyConversation(conversation, copyId()) : conversation;
    }
  } finally {
    // An error ends reading before the end of the bytes: their source has to be notified.
    await source.return(undefined);
    // Decompression releases them after its end.
    await sent.return(undefined);
  }
}

async function* readConversations(
  bytes: AsyncIterable<Uint8Array>,
  held: (bytes: number) => void,
  readCheckpoints: ReadCheckpoints | undefined,
): AsyncGenerator<ImportedConversation> {
  const { first: mark, head: begin, rest } = await beginning(bytes);
  if (readCheckpoints && begin.startsWith(SQLITE_MARK)) {
    yield* readLangGraph(rest, readCheckpoints);
    return;
  }
  if (mark === "[") {
    const pieces = yielding(piecesOf(splitElements(rest, VALUE_LIMIT, held)));
    const { done, value: head } = await pieces.next();
    if (!done) yield* readPieces(head, valueIn(head.text), pieces, held);
    return;
  }
  const lines = yielding(fewBlank(splitLines(rest, VALUE_LIMIT, held)));
  const head = await firstLine(lines);
  if (!head) throw new ImportError("The file is empty; send conversations, one per line", { line: null });
  const read = readJson(head.text, EVENT_DEPTH, "as_written");
  // A document of one value starts with a brace that is not closed on its first line.
  if (!read.ok && read.flaw.syntax && head.text.trimStart().startsWith("{")) {
    const text = await joined(head, lines, held);
    yield* readPieces({ text, line: 1, within: [] }, valueIn(text), [], held);
    return;
  }
  const first = { text: head.text, line: head.number, within: null };
  yield* readPieces(first, read.ok ? read.value : null, piecesOfLines(lines), held);
}

async function* piecesOf(elements: AsyncIterable<Element>): AsyncGenerator<Piece> {
  for await (const { text, line, index } of elements) yield { text, line, within: [index] };
}

async function* piecesOfLines(lines: AsyncIterable<Line>): AsyncGenerator<Piece> {
  for await (const line of lines) if (!isBlank(line)) yield { text: line.text, line: line.number, within: null };
}

function valueIn(text: string): Json {
  const read = readJson(text, EVENT_DEPTH, "as_written");
  return read.ok ? read.value : null;
}

/** Reads values in the format of the first one. */
async function* readPieces(
  head: Piece,
  value: Json,
  rest: AsyncIterable<Piece> | Iterable<Piece>,
  held: (bytes: number) => void,
): AsyncGenerator<ImportedConversation> {
  const format = formatOf(value);
  yield* format.read(yielding(entriesOf(head, rest, format, held)));
}

function formatOf(first: Json): ImportFormat {
  const found = FORMATS.find((format) => format.recognizes(first));
  if (!found) throw new Error("The last format takes every value");
  return found;
}

async function* entriesOf(
  head: Piece,
  rest: AsyncIterable<Piece> | Iterable<Piece>,
  format: ImportFormat,
  held: (bytes: number) => void,
): AsyncGenerator<Entry> {
  let length = 0;
  const taken = (piece: Piece): Entry => {
    const entry = parsed(piece, format);
    if (format.mostHeld === 0) return entry;
    length += piece.text.length;
    if (length > format.mostHeld)
      throw new ImportError(`a file of this format may have at most ${format.mostHeld / MB} MB; split it`, {
        line: piece.line,
        tooLarge: true,
      });
    held(piece.text.length);
    return entry;
  };
  yield taken(head);
  for await (const piece of rest) yield taken(piece);
}

function parsed({ text, line, within }: Piece, { depth, numbers }: ImportFormat): Entry {
  const read = readJson(text, depth, numbers);
  if (read.ok) return { value: read.value, line: within === null ? line : null, within: within ?? [] };
  throw new ImportError(read.flaw.message, { line: line + (read.flaw.line ?? 1) - 1 });
}

/** The same lines. Throws `ImportError` if too many of them are empty. */
async function* fewBlank(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let blank = 0;
  for await (const line of lines) {
    if (isBlank(line)) blank += 1;
    if (blank > MOST_BLANK_LINES)
      throw new ImportError(`The file has more than ${MOST_BLANK_LINES} empty lines; remove them`, {
        line: null,
        tooLarge: true,
      });
    yield line;
  }
}

async function firstLine(lines: AsyncIterator<Line>): Promise<Line | null> {
  for (;;) {
    const next = await lines.next();
    if (next.done) return null;
    if (!isBlank(next.value)) return next.value;
  }
}

/** A whole document whose first line is not valid JSON; lines keep their numbers. */
async function joined(head: Line, lines: AsyncIterable<Line>, held: (bytes: number) => void): Promise<string> {
  const texts = [...Array.from({ length: head.number - 1 }, () => ""), head.text];
  let length = head.text.length;
  for await (const { text } of lines) {
    length += text.length + 1;
    held(text.length + 1);
    if (length > VALUE_LIMIT) {
      throw new ImportError(
        `the first line is not valid JSON, and a file with a single JSON object may have at most ${Math.floor(VALUE_LIMIT / MB)} MB; write one conversation per line, or a list`,
        { line: head.number, tooLarge: true },
      );
    }
    texts.push(text);
  }
  return texts.join("\n");
}

async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > FILE_LIMIT) {
      throw new ImportError(`The file has more than ${FILE_LIMIT / MB} MB uncompressed; split it`, {
        line: null,
        tooLarge: true,
      });
    }
    yield chunk;
  }
}

/** The first non-whitespace character, and all the bytes: a document must not be split into lines first. */
async function beginning(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ first: string; head: string; rest: AsyncIterable<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let first = "";
  let silence = 0;
  while (first === "") {
    const next = await source.next();
    if (next.done) break;
    seen.push(next.value);
    silence += next.value.length;
    const byte = next.value.find((one) => !SILENT.has(one));
    if (byte !== undefined) first = String.fromCharCode(byte);
    else if (silence > MOST_SILENCE)
      throw new ImportError(`The file starts with more than ${MOST_SILENCE / MB} MB of white space; remove it`, {
        line: null,
        tooLarge: true,
      });
  }
  // Bytes may arrive one at a time; a file header is only recognized as a whole.
  while (SQLITE_MARK.startsWith(headOf(seen)) && headOf(seen).length < SQLITE_MARK.length) {
    const next = await source.next();
    if (next.done) break;
    seen.push(next.value);
  }
  return { first, head: headOf(seen), rest: replay(seen, source) };
}

function headOf(seen: readonly Uint8Array[]): string {
  return Buffer.concat(
    seen,
    Math.min(
      SQLITE_MARK.length,
      seen.reduce((sum, { length }) => sum + length, 0),
    ),
  ).toString("latin1");
}

/** JSON whitespace, and the bytes of a byte order mark. */
const SILENT = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

async function* replay(seen: Uint8Array[], source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* seen;
  yield* { [Symbol.asyncIterator]: () => source };
}

async function* iterated(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  yield* bytes;
}

function isBlank({ text }: Line): boolean {
  return text.trim() === "";
}
