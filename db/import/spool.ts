import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { orAborted } from "../../lib/event-loop/or-aborted.ts";
import type { ExportedNote } from "../../lib/notes/note.ts";
import type { ExportedScore } from "../../lib/scores/score.ts";
import type { Bookmark } from "../../lib/session/bookmarks.ts";
import { StorageFull } from "../errors.ts";
import type { NewEvent } from "../repositories.ts";

/** An event of an import; the first of a conversation carries what stands beside the log. */
export interface SpooledEvent extends NewEvent {
  bookmarks?: readonly Bookmark[] | undefined;
  scores?: readonly ExportedScore[] | undefined;
  notes?: readonly ExportedNote[] | undefined;
}

/** A temporary file for an import, one event per line. */
export interface Spool {
  /** Writes all events. Throws the signal's `AbortError`, what the source throws, or `StorageFull`. */
  fill(events: AsyncIterable<SpooledEvent>, signal: AbortSignal): Promise<void>;
  /** Reads them back, in pages that are stored in some milliseconds each. */
  read(): AsyncIterable<SpooledEvent[]>;
  remove(): Promise<void>;
}

/** The directory of spools; the remains of a crash are removed at the next start. */
export function importsFolder(dataDir: string): string {
  return join(dataDir, "tmp");
}

/**
 * Creates spools in a directory of their own, so that the remains of a crash are recognized and removed at the next
 * start.
 */
export class Spools {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = importsFolder(dataDir);
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder);
  }

  create(): Spool {
    const file = join(this.#folder, `${randomUUID()}.ndjson`);
    return {
      async fill(events, signal) {
        try {
          const filled = pipeline(Readable.from(lines(events)), createWriteStream(file), { signal });
          // A source that hangs blocks the pipeline's end, but not an abort.
          await orAborted(filled, signal);
        } catch (error) {
          throw error instanceof Error && "code" in error && error.code === "ENOSPC" ? new StorageFull(error) : error;
        }
      },
      read: () => pages(file),
      remove: () => rm(file, { force: true }),
    };
  }
}

// Short lines are written in batches: one write takes as long as thousands of events.
const CHUNK_LENGTH = 64 * 1024;
const READ_LENGTH = 1024 * 1024;

async function* lines(events: AsyncIterable<SpooledEvent>): AsyncIterable<string> {
  let chunk = "";
  for await (const event of events) {
    chunk += `${JSON.stringify(event)}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

// Writing a page of either length took about 10 ms.
const PAGE_EVENTS = 250;
const PAGE_LENGTH = 256 * 1024;

async function* pages(file: string): AsyncIterable<SpooledEvent[]> {
  let page: SpooledEvent[] = [];
  let length = 0;
  for await (const line of writtenLines(file)) {
    page.push(JSON.parse(line));
    length += line.length;
    if (page.length < PAGE_EVENTS && length < PAGE_LENGTH) continue;
    yield page;
    page = [];
    length = 0;
  }
  if (page.length > 0) yield page;
}

// Node's readline also ends lines at U+2028, which JSON may contain as it is.
async function* writtenLines(file: string): AsyncIterable<string> {
  let rest: string[] = [];
  for await (const chunk of createReadStream(file, { encoding: "utf8", highWaterMark: READ_LENGTH })) {
    const [first, ...parts] = String(chunk).split("\n");
    rest.push(first ?? "");
    for (const part of parts) {
      yield rest.join("");
      rest = [part];
    }
  }
}
