import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StorageFull } from "../errors.ts";
import type { NewEvent } from "../repositories.ts";

/** A file that holds what is imported until all of it has come in: one event a line. */
export interface Spool {
  /** Takes all events. Throws the signal's `AbortError`, what the source throws, or `StorageFull`. */
  fill(events: AsyncIterable<NewEvent>, signal: AbortSignal): Promise<void>;
  read(): AsyncIterable<NewEvent>;
  remove(): Promise<void>;
}

/** Makes spools in a directory of their own, so that a crash's leftovers can be told and are removed at the next start. */
export class Spools {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, "tmp");
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder);
  }

  create(): Spool {
    const file = join(this.#folder, `${randomUUID()}.ndjson`);
    return {
      async fill(events, signal) {
        try {
          const filled = pipeline(Readable.from(lines(events)), createWriteStream(file), { signal });
          // A source that is stuck holds up the pipeline's end, but not whoever aborts.
          await Promise.race([filled, aborted(signal)]);
        } catch (error) {
          throw error instanceof Error && "code" in error && error.code === "ENOSPC" ? new StorageFull(error) : error;
        }
      },
      read: () => events(file),
      remove: () => rm(file, { force: true }),
    };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

// Short lines are written together: one write to the file takes as long as thousands of events.
const CHUNK_LENGTH = 64 * 1024;
const READ_LENGTH = 1024 * 1024;

async function* lines(events: AsyncIterable<NewEvent>): AsyncIterable<string> {
  let chunk = "";
  for await (const event of events) {
    chunk += `${JSON.stringify(event)}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

// Node's readline also ends lines at U+2028, which JSON may contain as it is.
async function* events(file: string): AsyncIterable<NewEvent> {
  let rest = "";
  for await (const chunk of createReadStream(file, { encoding: "utf8", highWaterMark: READ_LENGTH })) {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) yield JSON.parse(line);
  }
}
