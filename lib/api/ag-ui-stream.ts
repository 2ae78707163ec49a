import type { AGUIEvent } from "@ag-ui/core";
import type { Events } from "../../db/repositories.ts";
import { AgUiPrinter } from "../intake/ag-ui/print.ts";
import type { Bus } from "../server/bus.ts";

/** Events read at a time: nothing of the next page is read before this one is sent. */
const PAGE = 50;

/** After so long without anything sent a comment says that the connection lives, in ms (E13). */
const HEARTBEAT_MS = 15_000;

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
  let wake: () => void = () => undefined;
  const leave = bus.subscribe(() => {
    behind = true;
    wake();
  });
  signal.addEventListener("abort", () => wake(), { once: true });

  /** Waits until the log has grown or the stream is over; false when neither came in this time, ms. */
  async function untilGrown(patience: number): Promise<boolean> {
    if (behind || signal.aborted) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, patience, false);
    wake = () => resolve(true);
    const grown = await promise;
    clearTimeout(timer);
    return grown;
  }

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

  async function nextChunk(): Promise<string | null> {
    const beat = performance.now() + HEARTBEAT_MS;
    while (!(signal.aborted || printer.isOver)) {
      const frames = await nextFrames();
      if (frames !== "") return frames;
      if (!(await untilGrown(beat - performance.now()))) return ":\n\n";
    }
    return null;
  }

  return new ReadableStream(
    {
      start(controller) {
        controller.enqueue(Buffer.from(":\n\n"));
      },
      async pull(controller) {
        const chunk = await nextChunk();
        if (chunk !== null) return controller.enqueue(Buffer.from(chunk));
        leave();
        controller.close();
      },
      cancel() {
        leave();
        wake();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The last frame of a step has its number: who resumes after it has all of it. */
function framesOf(told: readonly AGUIEvent[], seq: number): string {
  return told
    .map((event, index) => `${index === told.length - 1 ? `id: ${seq}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");
}
