import type { LogReader } from "../../../db/log-reader.ts";
import { AgUiPrinter } from "../../intake/ag-ui/print.ts";
import { type ExportedConversation, writeExport } from "../../intake/export-format.ts";
import type { RedactionRule } from "../../redaction/rules.ts";
import type { SessionEvent } from "../../session/event.ts";
import { agUiFrames, sseFrame } from "./frames.ts";
import { redacted } from "./redacted-export.ts";

/** A read that may be long: another thread does it and passes on bytes that are ready to be sent. */
export type LongRead =
  | { kind: "log"; position: number; conversationId: string | undefined }
  | { kind: "export"; conversation: ExportedConversation; rules: readonly RedactionRule[] }
  | { kind: "ag-ui"; conversationId: string; runId: string | null; from: number };

/** The next chunk of a long read. */
export interface Chunk {
  bytes: Uint8Array<ArrayBuffer>;
  /** Its end: a position of the log, or a step of the conversation. */
  at: number;
  /** Whether there may be more; the bytes may be empty. */
  more: boolean;
}

/** A long read in progress. `next` reads one chunk; null at the end. */
export interface LongReader {
  next(): Promise<Chunk | null>;
  /** Cancels the read. */
  close(): void;
}

/** Starts long reads. */
export interface LongReads {
  open(read: LongRead): LongReader;
}

/** A chunk ends with the event that exceeds this length, in characters. An event may have 5 MB. */
const LARGEST_CHUNK = 64 * 1024;

/** Events read per chunk: other readers wait that long. */
const PAGE = 100;

/** Reads in the thread, chunk by chunk. */
export function chunksOf(read: LongRead, log: LogReader): () => Promise<Chunk | null> {
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
  return async (): Promise<Chunk> => {
    const found = await log.since(at, { limit: PAGE, ...(conversationId !== undefined && { conversationId }) });
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

/** The export ends at the step that was the last when it began. */
async function* eventsUpTo({ id, last_seq: last }: ExportedConversation, log: LogReader): AsyncGenerator<SessionEvent> {
  for (let after = 0; after < last; ) {
    const found = await log.list(id, { after, limit: Math.min(PAGE, last - after) });
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
  return async (): Promise<Chunk | null> => {
    if (printer.isOver) return null;
    const found = await log.list(conversationId, { after: at, limit: PAGE });
    let text = "";
    for (const event of found) {
      at = event.seq;
      // Earlier events are read and not sent: they tell which run is open, and its state.
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
