import type { AGUIEvent } from "@ag-ui/core";
import type { Events } from "../../db/repositories.ts";
import { AgUiPrinter } from "../intake/ag-ui/print.ts";
import type { Bus } from "../server/bus.ts";
import { pulledStream } from "./pulled-stream.ts";

/** Events read at a time: nothing of the next page is read before this one is sent. */
const PAGE = 50;

interface Subscription {
  conversationId: string;
  /** Only this run; null for all. */
  runId: string | null;
  /** The stream begins after this step. */
  from: number;
  signal: AbortSignal;
}

/**
 * A conversation in the words of AG-UI as server-sent events, live. The reader pulls, as from the log's own stream (E13);
 * what it holds is the printer, which knows the open run and its state.
 */
export function agUiStream(
  { events, bus }: { events: Pick<Events, "list">; bus: Bus },
  { conversationId, runId, from, signal }: Subscription,
): ReadableStream<Uint8Array> {
  const printer = new AgUiPrinter(conversationId, runId);
  let after = 0;
  let isOpened = from === 0;
  /** The log may have more than was read. */
  let behind = true;

  async function nextFrames(): Promise<string> {
    if (!behind) return "";
    behind = false;
    const found = await events.list(conversationId, { after, limit: PAGE });
    behind ||= found.length > 0;
    let frames = "";
    for (const event of found) {
      after = event.seq;
      // What comes before the beginning is read and not told: it says which run is open, and its state.
      const opening = isOpened || event.seq <= from ? [] : printer.opening();
      const told = printer.print(event);
      if (event.seq <= from) continue;
      isOpened = true;
      frames += framesOf(opening, from);
      frames += framesOf(told, event.seq);
      if (printer.isOver) break;
    }
    return frames;
  }

  return pulledStream({
    first: ":\n\n",
    signal,
    isBehind: () => behind,
    next: async () => (printer.isOver ? null : Buffer.from(await nextFrames())),
    subscribe: (wake) =>
      bus.subscribe(() => {
        behind = true;
        wake();
      }),
  });
}

/** The last frame of a step has its number: who resumes after it has all of it. */
function framesOf(told: readonly AGUIEvent[], seq: number): string {
  return told
    .map((event, index) => `${index === told.length - 1 ? `id: ${seq}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");
}
