import { yielding } from "../../event-loop/yielding.ts";
import type { Json } from "../../session/json/json.ts";
import { readJson } from "../../session/json/json-text.ts";
import { ImportError } from "../import-error.ts";
import { EVENT_DEPTH } from "../import-format.ts";
import { decode, splitLines } from "../lines.ts";
import { AgUiFault } from "./fault.ts";

/** The encoding of a stream. */
export type StreamForm = "lines" | "frames" | "array";

/** A value of the stream with its line, or its index in the array. */
export interface StreamEntry {
  value: Json;
  place: number;
}

/** The maximum size of an event, and of an array. */
const LIMIT = 5 * 1024 * 1024;
/** An event's values are up to three levels deeper in ours. */
const DEPTH = EVENT_DEPTH - 4;

/** The maximum number of lines without an event: a heartbeat per second for a day. */
const MOST_SILENT_LINES = 100_000;

/** Reads the events of an AG-UI stream as they arrive: lines, server-sent events, or an array. Throws `AgUiFault`. */
export async function* readStream(bytes: AsyncIterable<Uint8Array>, form: StreamForm): AsyncGenerator<StreamEntry> {
  try {
    yield* READERS[form](bytes);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new AgUiFault(error.message, { tooLarge: error.tooLarge });
  }
}

const READERS = { lines: readLines, frames: readFrames, array: readArray } as const;

async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEntry> {
  let last = 0;
  for await (const { number, text } of yielding(splitLines(bytes, LIMIT))) {
    if (text.trim() === "") heed(number, last);
    else {
      last = number;
      yield { value: parse(text, number), place: number };
    }
  }
}

/** Throws `AgUiFault` if too many lines contain no event. */
function heed(line: number, lastTold: number): void {
  if (line - lastTold <= MOST_SILENT_LINES) return;
  throw new AgUiFault(`more than ${MOST_SILENT_LINES} lines without an event; remove them`, {
    place: line,
    tooLarge: true,
  });
}

/** Server-sent events: only `data` is used, not names, ids and comments. */
async function* readFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEntry> {
  let data: string[] = [];
  let length = 0;
  let place = 0;
  let last = 0;
  for await (const { number, text } of yielding(splitLines(bytes, LIMIT))) {
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    if (line.startsWith("data:")) {
      if (data.length === 0) place = number;
      length += line.length;
      if (length > LIMIT) throw new AgUiFault("this event has more than 5 MB", { place, tooLarge: true });
      data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      heed(number, last);
    } else if (line !== "" || data.length === 0) {
      heed(number, last);
    } else {
      last = number;
      yield { value: parse(data.join("\n"), place), place };
      data = [];
      length = 0;
    }
  }
  // At the end of the body the last event is complete without an empty line.
  if (data.length > 0) yield { value: parse(data.join("\n"), place), place };
}

async function* readArray(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEntry> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length > LIMIT)
      throw new AgUiFault("An array of events may have at most 5 MB; send one event per line instead", {
        tooLarge: true,
      });
    parts.push(part);
  }
  const read = readJson(decode(parts, null), DEPTH + 1, "as_written");
  if (!read.ok) throw new AgUiFault(capitalized(read.flaw.message), { place: read.flaw.line });
  const values = Array.isArray(read.value) ? read.value : [read.value];
  yield* yielding(values.map((value, index) => ({ value, place: index + 1 })));
}

function parse(text: string, place: number): Json {
  const read = readJson(text, DEPTH, "as_written");
  if (read.ok) return read.value;
  throw new AgUiFault(read.flaw.message, { place });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
