import type { LogReader } from "../../../db/log-reader.ts";
import { AgUiPrinter } from "../../intake/ag-ui/print.ts";
import { type ExportedConversation, writeExport } from "../../intake/export-format.ts";
import type { RedactionRule } from "../../redaction/rules.ts";
import type { SessionEvent } from "../../session/event.ts";
import { agUiFrames, sseFrame } from "./frames.ts";
import { redacted } from "./redacted-export.ts";

/** What may be long to read: a thread of its own reads it, and hands over bytes that are ready to be sent. */
export type LongRead =
  | { kind: "log"; position: number; conversationId: string | undefined }
  | { kind: "export"; conversation: ExportedConversation; rules: readonly RedactionRule[] }
  | { kind: "ag-ui"; conversationId: string; runId: string | null; from: number };

/** The next of a long read. */
export interface Chunk {
  bytes: Uint8Array<ArrayBuffer>;
  /** How far it has come: a position of the log, or a step of the conversation. */
  at: number;
  /** Whether there may be more by now; the bytes may be none. */
  more: boolean;
}

/** A long read that is under way. `next` reads no further than it is asked to; null when all of it was read. */
export interface LongReader {
  next(): Promise<Chunk | null>;
  /** Nothing more is wanted. */
  close(): void;
}

/** Begins long reads. */
export interface LongReads {
  open(read: LongRead): LongReader;
}

/** A chunk ends with the event that brings it to this length, in characters. An event may have 5 MB. */
const LARGEST_CHUNK = 64 * 1024;

/** Events read for a chunk: the log's other readers wait for no more. */
const PAGE = 100;

/** A long read as its thread goes through it, chunk by chunk. */
export function chunksOf(read: LongRead, log: LogReader): () => Chunk | null | Promise<Chunk | null> {
  switch (read.kind) {
    case "log":
      return logChunks(read, log);
    case "export":
      return exportChunks(read, log);
    case "ag-ui":
      return agUiChunks(read, log);
    default:
      return read satisfies never;
  }
}

const encoder = new TextEncoder();

function logChunks({ position, conversationId }: LongRead & { kind: "log" }, log: LogReader) {
  let at = position;
  return (): Chunk => {
    const found = log.since(at, { limit: PAGE, ...(conversationId !== undefined && { conversationId }) });
    let text = "";
    for (const event of found) {
      text += sseFrame(event);
      at = event.position;
      if (text.length >= LARGEST_CHUNK) break;
    }
    return { bytes: encoder.encode(text), at, more: found.length > 0 };
  };
}

function exportChunks({ conversation, rules }: LongRead & { kind: "export" }, log: LogReader) {
  const lines = writeExport(conversation, redacted(eventsUpTo(conversation, log), rules));
  let at = 0;
  return async (): Promise<Chunk | null> => {
    let text = "";
    while (text.length < LARGEST_CHUNK) {
      const { done, value } = await lines.next();
      if (done) return text === "" ? null : { bytes: encoder.encode(text), at, more: true };
      text += value;
      at += 1;
    }
    return { bytes: encoder.encode(text), at, more: true };
  };
}

/** The export ends where the conversation ended when it began. */
function* eventsUpTo({ id, last_seq: last }: ExportedConversation, log: LogReader): Generator<SessionEvent> {
  for (let after = 0; after < last; ) {
    const found = log.list(id, { after, limit: Math.min(PAGE, last - after) });
    if (found.length === 0)
      throw new Error(`The conversation ${id} has no events after ${after} though it ends at ${last}`);
    yield* found;
    after += found.length;
  }
}

function agUiChunks({ conversationId, runId, from }: LongRead & { kind: "ag-ui" }, log: LogReader) {
  const printer = new AgUiPrinter(conversationId, runId);
  let at = 0;
  let isOpened = from === 0;
  return (): Chunk | null => {
    if (printer.isOver) return null;
    const found = log.list(conversationId, { after: at, limit: PAGE });
    let text = "";
    for (const event of found) {
      at = event.seq;
      // What comes before the beginning is read and not told: it says which run is open, and its state.
      const opening = isOpened || at <= from ? [] : printer.opening();
      const told = printer.print(event);
      if (at <= from) continue;
      isOpened = true;
      text += agUiFrames(opening, from) + agUiFrames(told, at);
      if (printer.isOver || text.length >= LARGEST_CHUNK) break;
    }
    return { bytes: encoder.encode(text), at, more: found.length > 0 };
  };
}
