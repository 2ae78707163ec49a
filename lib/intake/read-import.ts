import type { Json } from "../session/json.ts";
import { readJson, strictFlaw } from "../session/json-text.ts";
import { breathing } from "./breathing.ts";
import { copyConversation } from "./export-format.ts";
import { FORMATS } from "./formats.ts";
import { unpacked } from "./gzip.ts";
import { ImportError } from "./import-error.ts";
import { type Entry, EVENT_DEPTH, FOREIGN_DEPTH, type ImportFormat } from "./import-format.ts";
import { type ReadCheckpoints, readLangGraph, SQLITE_MARK } from "./langgraph-format.ts";
import { decode, type Line, splitLines } from "./lines.ts";
import type { ImportedConversation } from "./new-event.ts";

const MB = 1024 * 1024;
/** A whole file, unpacked (E11). */
const FILE_LIMIT = 512 * MB;
/** A file that is one JSON document has to be in memory as a whole. */
const DOCUMENT_LIMIT = 64 * MB;
/** What the API takes in one request (E11), and room for what a stored event has beside what was sent. */
const LINE_LIMIT = 5 * MB + 64 * 1024;
/** Lines without anything in them: 300 MB of them take a gzip of 300 kB, and each is looked at. */
const MOST_BLANK_LINES = 100_000;
/** What may stand before the first value; it is held until that comes. */
const MOST_SILENCE = MB;

export interface ImportOptions {
  /** Reads a file of SQLite; without it such a file is refused. */
  readCheckpoints?: ReadCheckpoints;
  /** Imports each conversation as a copy, under the id that this makes. */
  copyId?: () => string;
}

/**
 * Reads a file of conversations as it streams in, a conversation at a time: a value a line, or one JSON document that is
 * a value or an array of them; packed by gzip or not. Its first value tells the format, see `FORMATS`. Throws
 * `ImportError` at the first mistake.
 */
export async function* readImport(
  bytes: AsyncIterable<Uint8Array>,
  { copyId, readCheckpoints }: ImportOptions = {},
): AsyncGenerator<ImportedConversation> {
  const sent = iterated(bytes);
  const source = bounded(unpacked(sent));
  try {
    for await (const conversation of readConversations(source, readCheckpoints)) {
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
  readCheckpoints: ReadCheckpoints | undefined,
): AsyncGenerator<ImportedConversation> {
  const { first, head: begin, rest } = await beginning(bytes);
  if (readCheckpoints && begin.startsWith(SQLITE_MARK)) {
    yield* readLangGraph(rest, readCheckpoints);
    return;
  }
  if (first === "[") {
    yield* readDocument(await collect(rest));
    return;
  }
  const lines = breathing(fewBlank(splitLines(rest, LINE_LIMIT)));
  const head = await firstLine(lines);
  if (!head) throw new ImportError("The file is empty; send conversations, one a line", { line: null });
  const read = readJson(head.text, EVENT_DEPTH, "as_written");
  // A document of one value begins with a brace that its first line does not close.
  if (!read.ok && read.flaw.syntax && head.text.trimStart().startsWith("{")) {
    yield* readDocument(await joined(head, lines));
    return;
  }
  const format = formatOf(read.ok ? read.value : null);
  yield* format.read(entriesOf(head, lines, format));
}

function formatOf(first: Json): ImportFormat {
  const found = FORMATS.find((format) => format.recognizes(first));
  if (!found) throw new Error("The last format takes every value");
  return found;
}

async function* entriesOf(head: Line, lines: AsyncIterable<Line>, format: ImportFormat): AsyncGenerator<Entry> {
  yield parseLine(head, format);
  for await (const line of lines) {
    if (!isBlank(line)) yield parseLine(line, format);
  }
}

async function* readDocument(text: string): AsyncGenerator<ImportedConversation> {
  const read = readJson(text, FOREIGN_DEPTH + 1, "as_written");
  if (!read.ok) throw new ImportError(read.flaw.message, { line: read.flaw.line });
  const entries: Entry[] = Array.isArray(read.value)
    ? read.value.map((value, index) => ({ value, line: null, within: [index] }))
    : [{ value: read.value, line: null, within: [] }];
  const format = formatOf(entries[0]?.value ?? null);
  const flaw = format.numbers === "refused" ? strictFlaw(text, read.value) : null;
  if (flaw) throw new ImportError(flaw.message, { line: flaw.line });
  yield* format.read(breathing(entries));
}

/** The same lines. Throws `ImportError` where too many of them are blank. */
async function* fewBlank(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let blank = 0;
  for await (const line of lines) {
    if (isBlank(line)) blank += 1;
    if (blank > MOST_BLANK_LINES)
      throw new ImportError(`The file has more than ${MOST_BLANK_LINES} empty lines; take them out`, {
        line: null,
        tooLarge: true,
      });
    yield line;
  }
}

function parseLine({ number, text }: Line, { depth, numbers }: ImportFormat): Entry {
  const read = readJson(text, depth, numbers);
  if (read.ok) return { value: read.value, line: number, within: [] };
  throw new ImportError(read.flaw.message, { line: number });
}

async function firstLine(lines: AsyncIterator<Line>): Promise<Line | null> {
  for (;;) {
    const next = await lines.next();
    if (next.done) return null;
    if (!isBlank(next.value)) return next.value;
  }
}

/** The whole of a document whose first line is not JSON by itself; lines keep their numbers. */
async function joined(head: Line, lines: AsyncIterable<Line>): Promise<string> {
  const texts = [...Array.from({ length: head.number - 1 }, () => ""), head.text];
  let length = head.text.length;
  for await (const { text } of lines) {
    length += text.length + 1;
    if (length > DOCUMENT_LIMIT) {
      throw new ImportError(`the first line is not JSON by itself, and ${DOCUMENT_TOO_LARGE}`, {
        line: head.number,
        tooLarge: true,
      });
    }
    texts.push(text);
  }
  return texts.join("\n");
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length > DOCUMENT_LIMIT) throw new ImportError(DOCUMENT_TOO_LARGE, { line: null, tooLarge: true });
    parts.push(part);
  }
  return decode(parts, null);
}

const DOCUMENT_TOO_LARGE = `a file that is one JSON document may have at most ${DOCUMENT_LIMIT / MB} MB; write one conversation a line instead`;

async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > FILE_LIMIT) {
      throw new ImportError(`The file has more than ${FILE_LIMIT / MB} MB, unpacked; split it`, {
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
      throw new ImportError(`The file begins with more than ${MOST_SILENCE / MB} MB of white space; take it out`, {
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
