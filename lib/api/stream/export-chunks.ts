import type { LogReader } from "../../../db/log-reader.ts";
import { type ExportedConversation, writeExport } from "../../intake/export-format.ts";
import type { SessionEvent } from "../../session/event.ts";
import { encoder, LARGEST_CHUNK, type LongRead, type NextChunk, PAGE } from "./long-reads.ts";
import { redacted } from "./redacted-export.ts";

/** Reads an export, chunk by chunk. */
export function exportChunks({ conversation, rules }: LongRead & { kind: "export" }, log: LogReader): NextChunk {
  const lines = writeExport(conversation, redacted(eventsUpTo(conversation, log), rules));
  let at = 0;
  return async () => {
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
