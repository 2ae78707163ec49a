import { yielding } from "../event-loop/yielding.ts";
import type { Json } from "../session/json/json.ts";
import { readJson } from "../session/json/json-text.ts";
import { type Element, splitElements } from "./elements.ts";
import { copyConversation } from "./export-format.ts";
import { FORMATS } from "./formats.ts";
import { unpacked } from "./gzip.ts";
import { ImportError } from "./import-error.ts";
import { type Entry, EVENT_DEPTH, type ImportFormat } from "./import-format.ts";
import { type ReadCheckpoints, readLangGraph, SQLITE_MARK } from "./langgraph-format.ts";
import { type Line, splitLines } from "./lines.ts";
import type { ImportedConversation } from "./new-event.ts";

const MB = 1024 * 1024;
/** A whole file, unpacked (E11). */
const FILE_LIMIT = 512 * MB;
/**
 * A line, an entry of a list, or a file that is one object: what the API takes in one request (E11), and room for what a stored
 * event has beside what was sent. It is in memory as a whole, and parsed in one go.
 */
const VALUE_LIMIT = 5 * MB + 64 * 1024;
/** Lines without anything in them: 300 MB of them take a gzip of 300 kB, and each is looked at. */
const MOST_BLANK_LINES = 100_000;
/** What may stand before the first value; it is held until that comes. */
const MOST_SILENCE = MB;

export interface ImportOptions {
  /** Reads a file of SQLite; without it such a file is refused. */
  readCheckpoints?: ReadCheckpoints;
  /** Imports each conversation as a copy, under the id that this makes. */
  copyId?: () => string;
  /** Is told how many bytes more of the file are held, or fewer; what it throws ends the reading. */
  held?: (bytes: number) => void;
}

/** A part of a file that is a value. */
interface Piece {
  text: string;
  /** The line on which it begins. */
  line: number;
  /** Where it is in a document; null where it is a line of its own. */
  within: readonly number[] | null;
}

/**
 * Reads a file of conversations as it streams in, a conversation at a time: a value a line, or one JSON document that is
 * a value or an array of them; packed by gzip or not. Its first value tells the format, see `FORMATS`. Throws
 * `ImportError` at the first mistake.
 */
export async function* readImport(
  bytes: AsyncIterable<Uint8Array>,
  { copyId, readCheckpoints, held = () => undefined }: ImportOptions = {},
): AsyncGenerator<ImportedConversation> {
  const sent = iterated(bytes);
  const source = bounded(unpacked(sent));
  try {
    for await (const conversation of readConversations(source, held, readCheckpoints)) {
      yield copyId ? copyConversation(conversation, copyId()) : conversation;
    }
  } finally {
    // A mistake ends the reading in the middle of the bytes: whoever sends them has to learn of it.
    await source.return(undefined);
    // What unpacks lets go of them later than it ends.
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
  // A document of one value begins with a brace that its first line does not close.
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

/** Reads them in the format that the first one tells. */
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

/** The same lines. Throws `ImportError` where too many of them are blank. */
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

/** The whole of a document whose first line is not JSON by itself; lines keep their numbers. */
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

/** The first character that says something, and all the bytes again: a document must not be split into lines first. */
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
  // Bytes may come one at a time; what is told by a mark is told by all of it.
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

/** Whitespace of JSON, and the bytes of a byte order mark. */
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
