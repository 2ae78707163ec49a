import type { Events } from "../../db/repositories.ts";
import type { Bus } from "../server/bus.ts";
import type { LiveDrafts } from "../server/drafts.ts";
import type { Services } from "../server/services.ts";
import type { SessionEvent } from "../session/event.ts";
import { DraftFrames } from "./draft-frames.ts";

/** Events read at a time. An event may have 5 MB, and nothing of the next page is read before this one is sent. */
const PAGE = 50;

/** After so long without anything sent a comment says that the connection lives, in ms (E13). */
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

/** What a stream tells. */
interface Sources {
  events: Pick<Events, "since">;
  bus: Bus;
  /** Null: without answers that are coming. */
  drafts: LiveDrafts | null;
  /** Null: without the number of traces that wait. */
  waiting: Services["traces"]["waiting"] | null;
}

/**
 * The log after a position as server-sent events, without end (E13); with `drafts`, the answers that are coming among
 * them. The reader pulls: the bus only says that the log has grown, and events are read when what was sent before has
 * gone out.
 */
export function eventStream(
  { events, bus, drafts, waiting }: Sources,
  { position, conversationId, signal }: Subscription,
): ReadableStream<Uint8Array> {
  const frames = drafts && new DraftFrames(drafts, conversationId);
  let cursor = position;
  let head = position;
  /** The log may have more than was read. */
  let behind = true;
  let drafted = true;
  /** The number of traces that wait may not be the one that was told. */
  let recount = waiting !== null;
  let counted = 0;
  let wake: () => void = () => undefined;
  const unsubscribe = [
    bus.subscribe((newest) => {
      head = newest;
      behind = true;
      wake();
    }),
    drafts?.subscribe(() => {
      drafted = true;
      wake();
    }),
    waiting?.subscribe(() => {
      recount = true;
      wake();
    }),
  ];
  const leave = () => {
    for (const end of unsubscribe) end?.();
  };
  signal.addEventListener("abort", () => wake(), { once: true });

  /** Waits until there may be something to send or the stream is over; false when neither came in this time, ms. */
  async function untilGrown(patience: number): Promise<boolean> {
    if (behind || drafted || recount || signal.aborted) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, patience, false);
    wake = () => resolve(true);
    const grown = await promise;
    clearTimeout(timer);
    return grown;
  }

  async function nextEvents(): Promise<SessionEvent[]> {
    if (!behind) return [];
    behind = false;
    const seen = head;
    const found = await events.since(cursor, { conversationId, limit: PAGE });
    const last = found.at(-1);
    // What other conversations appended is behind us too.
    cursor = last?.position ?? Math.max(cursor, seen);
    behind ||= last !== undefined;
    return found;
  }

  function nextCount(): Uint8Array[] {
    recount = false;
    const count = waiting?.count() ?? 0;
    if (count === counted) return [];
    counted = count;
    return [Buffer.from(`event: traces.waiting\ndata: ${JSON.stringify({ count })}\n\n`)];
  }

  async function nextChunk(): Promise<Uint8Array | null> {
    const beat = performance.now() + HEARTBEAT_MS;
    while (!signal.aborted) {
      const found = await nextEvents();
      drafted = false;
      const parts = [...found.map(encodeEvent), ...(frames?.next(cursor) ?? []), ...nextCount()];
      if (parts.length > 0) return Buffer.concat(parts);
      if (!(await untilGrown(beat - performance.now()))) return Buffer.from(":\n\n");
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

/** Hundreds of readers are sent the same event object when they follow live: it is written down once. */
const encoded = new WeakMap<SessionEvent, Uint8Array>();

function encodeEvent(event: SessionEvent): Uint8Array {
  const known = encoded.get(event);
  if (known) return known;
  const bytes = Buffer.from(`id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  encoded.set(event, bytes);
  return bytes;
}
