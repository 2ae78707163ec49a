import type { LogReader } from "../../../db/log-reader.ts";
import type { ExportedConversation } from "../../intake/export-format.ts";
import type { RedactionRule } from "../../redaction/rules.ts";
import { sseFrame } from "./frames.ts";

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
export const LARGEST_CHUNK = 64 * 1024;

/** Events read per chunk: other readers wait that long. */
export const PAGE = 100;

/** Reads the next chunk; null at the end. */
export type NextChunk = () => Chunk | null | Promise<Chunk | null>;

/** Reads in the thread, chunk by chunk. The thread mostly reads the log: what the others need takes 10 MB. */
export function chunksOf(read: LongRead, log: LogReader): NextChunk {
  switch (read.kind) {
    case "log":
      return logChunks(read, log);
    case "export":
      return onDemand(async () => (await import("./export-chunks.ts")).exportChunks(read, log));
    case "ag-ui":
      return onDemand(async () => (await import("./ag-ui-chunks.ts")).agUiChunks(read, log));
    default:
      return read satisfies never;
  }
}

function onDemand(load: () => Promise<NextChunk>): NextChunk {
  let loaded: Promise<NextChunk> | null = null;
  return async () => {
    loaded ??= load();
    return (await loaded)();
  };
}

export const encoder = new TextEncoder();

function logChunks({ position, conversationId }: LongRead & { kind: "log" }, log: LogReader) {
  let at = position;
  return async (): Promise<Chunk> => {
    const found = await log.since(at, { limit: PAGE, ...(conversationId !== undefined && { conversationId }) });
    let text = "";
    for (const event of found) {
      text += sseFrame(event, event.json);
      at = event.position;
      if (text.length >= LARGEST_CHUNK) break;
    }
    return { bytes: encoder.encode(text), at, more: found.length > 0 };
  };
}
