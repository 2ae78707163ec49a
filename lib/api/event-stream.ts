import type { Events } from "../../db/repositories.ts";
import type { Bus } from "../server/bus.ts";
import type { SessionEvent } from "../session/event.ts";

/** Events read at a time. An event may have 5 MB, and nothing of the next page is read before this one is sent. */
const PAGE = 50;

/** After so long without an event a comment says that the connection lives, in ms (E13). */
const HEARTBEAT_MS = 15_000;

/** How soon a reader that lost the connection should come back, in ms. */
const RETRY_MS = 1_000;

interface Subscription {
  /** The stream begins after this position. */
  position: number;
  /** Only events of this conversation. */
  conversationId: string | undefined;
  /** Ends the stream. */
  signal: AbortSignal;
}

/**
 * The log after a position as server-sent events, without end (E13). The reader pulls: the bus only says that the log
 * has grown, and events are read when what was sent before has gone out.
 */
export function eventStream(
  { events, bus }: { events: Events; bus: Bus },
  { position, conversationId, signal }: Subscription,
): ReadableStream<Uint8Array> {
  let cursor = position;
  let head = position;
  let wake: () => void = () => undefined;
  const unsubscribe = bus.subscribe((newest) => {
    head = newest;
    wake();
  });
  signal.addEventListener("abort", () => wake(), { once: true });

  /** Waits until the log has grown or the stream is over; false when neither came for a while. */
  async function untilGrown(): Promise<boolean> {
    if (head > cursor || signal.aborted) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, HEARTBEAT_MS, false);
    wake = () => resolve(true);
    const grown = await promise;
    clearTimeout(timer);
    return grown;
  }

  async function nextChunk(): Promise<Uint8Array | null> {
    while (!signal.aborted) {
      const seen = head;
      const found = await events.since(cursor, { conversationId, limit: PAGE });
      const last = found.at(-1);
      if (last) {
        cursor = last.position;
        return Buffer.concat(found.map(encodeEvent));
      }
      // What other conversations appended is behind us too.
      cursor = Math.max(cursor, seen);
      if (!(await untilGrown())) return Buffer.from(":\n\n");
    }
    return null;
  }

  return new ReadableStream(
    {
      start(controller) {
        controller.enqueue(Buffer.from(`retry: ${RETRY_MS}\n\n`));
      },
      async pull(controller) {
        const chunk = await nextChunk();
        if (chunk) return controller.enqueue(chunk);
        unsubscribe();
        controller.close();
      },
      cancel() {
        unsubscribe();
        wake();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Hundreds of readers are sent the same event object when they follow live: it is written down once. */
const encoded = new WeakMap<SessionEvent, Uint8Array>();

function encodeEvent(event: SessionEvent): Uint8Array {
  const known = encoded.get(event);
  if (known) return known;
  const bytes = Buffer.from(`id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  encoded.set(event, bytes);
  return bytes;
}
