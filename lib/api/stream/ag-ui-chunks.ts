import type { LogReader } from "../../../db/log-reader.ts";
import { AgUiPrinter } from "../../intake/ag-ui/print.ts";
import { agUiFrames } from "./frames.ts";
import { encoder, LARGEST_CHUNK, type LongRead, type NextChunk, PAGE } from "./long-reads.ts";

/** Reads a conversation's events as AG-UI events, chunk by chunk. */
export function agUiChunks({ conversationId, runId, from }: LongRead & { kind: "ag-ui" }, log: LogReader): NextChunk {
  const printer = new AgUiPrinter(conversationId, runId);
  let at = 0;
  let isOpened = from === 0;
  return async () => {
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
