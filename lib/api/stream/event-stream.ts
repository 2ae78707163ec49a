import type { Events } from "../../../db/repositories.ts";
import type { Bus } from "../../server/bus.ts";
import type { LiveDraft, LiveDrafts } from "../../server/drafts.ts";
import type { Services } from "../../server/services.ts";
import type { SessionEvent } from "../../session/event.ts";
import { sseFrame } from "./frames.ts";
import type { LongReader, LongReads } from "./long-reads.ts";
import { pulledStream } from "./pulled-stream.ts";

/** Events read at a time. An event may have 5 MB, and nothing of the next page is read before this one is sent. */
const PAGE = 200;

/** Beyond so many bytes a page ends with the event that it has come to: a reader that does not read holds one. */
const LARGEST_PAGE = 64 * 1024;

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
  /** What those who follow live are told. */
  events: Pick<Events, "recent">;
  /** What those who are behind catch up with. */
  longReads: LongReads;
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
  { events, longReads, bus, drafts, waiting }: Sources,
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
  let catchingUp: LongReader | null = null;

  async function nextEvents(): Promise<Uint8Array> {
    if (!behind) return new Uint8Array();
    behind = false;
    const seen = head;
    const found = events.recent(cursor, { limit: PAGE, ...(conversationId !== undefined && { conversationId }) });
    if (found) catchUpNoMore();
    const { bytes, at, more } = found ? livePage(found) : await nextStored();
    // What other conversations appended is behind us too.
    cursor = more ? at : Math.max(at, seen);
    behind ||= more;
    return bytes;
  }

  function livePage(found: SessionEvent[]) {
    const page = firstOf(found);
    const more = page.length < found.length || found.length === PAGE;
    return { bytes: encodePage(page), at: page.at(-1)?.position ?? cursor, more };
  }

  async function nextStored() {
    catchingUp ??= longReads.open({ kind: "log", position: cursor, conversationId });
    const chunk = await catchingUp.next();
    if (!chunk) throw new Error("The log ended, which has no end");
    return chunk;
  }

  function catchUpNoMore(): void {
    catchingUp?.close();
    catchingUp = null;
  }

  function nextCount(): Uint8Array[] {
    recount = false;
    const count = waiting?.count() ?? 0;
    if (count === counted) return [];
    counted = count;
    return [Buffer.from(`event: traces.waiting\ndata: ${JSON.stringify({ count })}\n\n`)];
  }

  return pulledStream({
    first: `retry: ${RETRY_MS}\n\n`,
    signal,
    isBehind: () => behind || drafted || recount,
    async next() {
      const page = await nextEvents();
      drafted = false;
      const more = [...(frames?.next(cursor) ?? []), ...(recount ? nextCount() : [])];
      return more.length === 0 ? page : Buffer.concat([page, ...more]);
    },
    subscribe(wake) {
      const ends = [
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
      return () => {
        for (const end of ends) end?.();
        catchUpNoMore();
      };
    },
  });
}

/** Events up to the one that fills a page. */
function firstOf(found: SessionEvent[]): SessionEvent[] {
  let bytes = 0;
  const full = found.findIndex((event) => {
    bytes += encodeEvent(event).length;
    return bytes >= LARGEST_PAGE;
  });
  return full === -1 ? found : found.slice(0, full + 1);
}

/** Hundreds of readers are sent the same event object when they follow live: it is written down once. */
const encoded = new WeakMap<SessionEvent, Uint8Array>();

function encodeEvent(event: SessionEvent): Uint8Array {
  const known = encoded.get(event);
  if (known) return known;
  const bytes = Buffer.from(sseFrame(event));
  encoded.set(event, bytes);
  return bytes;
}

/** Those who follow live are sent the same pages, too, by the first event of each: five hundred that do not read hold one. */
const pages = new WeakMap<SessionEvent, { events: readonly SessionEvent[]; bytes: Uint8Array }>();

function encodePage(events: readonly SessionEvent[]): Uint8Array {
  const [first] = events;
  if (!first) return new Uint8Array();
  const known = pages.get(first);
  if (known?.events.length === events.length && known.events.every((event, n) => event === events[n]))
    return known.bytes;
  const bytes = Buffer.concat(events.map(encodeEvent));
  pages.set(first, { events, bytes });
  return bytes;
}

/** What one reader of a stream is sent of the answers that are coming. It holds how far each was sent, and no text. */
class DraftFrames {
  readonly #drafts: Pick<LiveDrafts, "list">;
  readonly #conversationId: string | undefined;
  readonly #sent = new WeakMap<LiveDraft, number>();

  constructor(drafts: Pick<LiveDrafts, "list">, conversationId: string | undefined) {
    this.#drafts = drafts;
    this.#conversationId = conversationId;
  }

  /**
   * What has come since, for a reader that has the log up to `position`. A draft waits until the reader has the request
   * that it answers, and has ended before the log tells what came of that: so it always stands between the two.
   */
  next(position: number): Uint8Array[] {
    const frames: Uint8Array[] = [];
    for (const draft of this.#drafts.list()) {
      const { conversation_id, run_id, agent_id, text, since } = draft;
      if (since > position) continue;
      if (this.#conversationId !== undefined && conversation_id !== this.#conversationId) continue;
      const offset = this.#sent.get(draft) ?? 0;
      const end = wholeLength(text);
      if (end <= offset) continue;
      this.#sent.set(draft, end);
      const data = { conversation_id, run_id, agent_id, offset, text: text.slice(offset, end) };
      frames.push(Buffer.from(`event: message.draft\ndata: ${JSON.stringify(data)}\n\n`));
    }
    return frames;
  }
}

/** Without half of a character at the end: its other half is in the next piece. */
function wholeLength(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
