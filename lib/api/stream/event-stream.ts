import type { Events } from "../../../db/repositories.ts";
import type { Bus } from "../../server/bus.ts";
import type { LiveDraft, LiveDrafts } from "../../server/drafts.ts";
import type { Services } from "../../server/services.ts";
import type { SessionEvent } from "../../session/event.ts";
import { sseFrame } from "./frames.ts";
import type { LongReader, LongReads } from "./long-reads.ts";
import { PulledStream } from "./pulled-stream.ts";

/** Events per page. The next page is not read until this one is sent: an event may be 5 MB. */
const PAGE = 200;

/** A page ends with the event that exceeds this, in bytes: a client that does not read holds one page in memory. */
const LARGEST_PAGE = 64 * 1024;

/** The reconnection delay that clients are told, in ms. */
const RETRY_MS = 1_000;

interface Subscription {
  /** The stream begins after this position. */
  position: number;
  /** Only events of this conversation. */
  conversationId: string | undefined;
  /** Ends the stream. */
  signal: AbortSignal;
}

type RecentEvents = Pick<Events, "recent" | "nextOf">;

/** Where a stream reads from. */
interface Sources {
  /** The newest events, in memory: for clients that follow live. */
  events: RecentEvents;
  /** The stored log: for clients that catch up. */
  longReads: LongReads;
  bus: Bus;
  /** Partial answers of models; null: not sent. */
  drafts: LiveDrafts | null;
  /** The number of traces that wait; null: not sent. */
  waiting: Services["traces"]["waiting"] | null;
}

/**
 * Streams the log after a position as server-sent events, without end (E13), with partial answers if `drafts` is given. The
 * client pulls: the bus only signals that the log has grown, and events are read when the previous page has been sent.
 */
export function eventStream(
  { events, longReads, bus, drafts, waiting }: Sources,
  { position, conversationId, signal }: Subscription,
): ReadableStream<Uint8Array> {
  const frames = drafts && new DraftFrames(drafts, conversationId);
  let cursor = position;
  let head = position;
  /** The log may have more events than were read. */
  let behind = true;
  let drafted = true;
  /** The number of waiting traces may have changed since it was sent. */
  let recount = waiting !== null;
  let counted = 0;
  let catchingUp: LongReader | null = null;

  async function nextEvents(): Promise<Uint8Array> {
    if (!behind) return new Uint8Array();
    behind = false;
    const seen = head;
    const page = recent() ?? (await recentBesideOthers());
    if (page) catchUpNoMore();
    const { bytes, at, more } = page ?? (await nextStored());
    // Skips what other conversations appended.
    cursor = more ? at : Math.max(at, seen);
    behind ||= more;
    return bytes;
  }

  function recent(): LivePage | null {
    return conversationId === undefined ? pageOfAll(events, cursor, head) : livePage(events, cursor, conversationId);
  }

  /** After a large import, which is not in memory: what came since in another conversation is. */
  async function recentBesideOthers(): Promise<LivePage | null> {
    if (conversationId === undefined || catchingUp) return null;
    const next = await events.nextOf(conversationId, cursor);
    if (next === null) return { bytes: new Uint8Array(), at: cursor, more: false };
    cursor = next - 1;
    return recent();
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

  return new PulledStream({
    first: `retry: ${RETRY_MS}\n\n`,
    signal,
    isEndless: true,
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

/** A page of events in memory. */
interface LivePage {
  bytes: Uint8Array;
  /** The position of its last event. */
  at: number;
  more: boolean;
}

/** The page that was read last, until the event loop's next iteration. */
const readLast = new WeakMap<RecentEvents, { cursor: number; head: number; page: LivePage }>();

/**
 * A page of all conversations, with everything up to `head`. Clients that are woken together are mostly at the same position:
 * it is read once.
 */
function pageOfAll(events: RecentEvents, cursor: number, head: number): LivePage | null {
  const known = readLast.get(events);
  if (known?.cursor === cursor && known.head === head) return known.page;
  const page = livePage(events, cursor);
  if (!page) return null;
  if (!known) setImmediate(() => readLast.delete(events));
  readLast.set(events, { cursor, head, page });
  return page;
}

/** The page after a position; null if not all of it is in memory. */
function livePage(events: RecentEvents, cursor: number, conversationId?: string): LivePage | null {
  const found = events.recent(cursor, { limit: PAGE, ...(conversationId !== undefined && { conversationId }) });
  if (!found) return null;
  const page = firstOf(found);
  const more = page.length < found.length || found.length === PAGE;
  return { bytes: encodePage(page), at: page.at(-1)?.position ?? cursor, more };
}

/** The events up to the one that fills a page. */
function firstOf(found: SessionEvent[]): SessionEvent[] {
  let bytes = 0;
  const full = found.findIndex((event) => {
    bytes += encodeEvent(event).length;
    return bytes >= LARGEST_PAGE;
  });
  return full === -1 ? found : found.slice(0, full + 1);
}

/** Clients that follow live are sent the same event object: it is serialized once. */
const encoded = new WeakMap<SessionEvent, Uint8Array>();

function encodeEvent(event: SessionEvent): Uint8Array {
  const known = encoded.get(event);
  if (known) return known;
  const bytes = Buffer.from(sseFrame(event, JSON.stringify(event)));
  encoded.set(event, bytes);
  return bytes;
}

/** They are also sent the same pages, keyed by the first event: 500 clients that do not read hold one in memory. */
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

/** The partial answers sent to one client. It keeps the offset of each, and no text. */
class DraftFrames {
  readonly #drafts: Pick<LiveDrafts, "list">;
  readonly #conversationId: string | undefined;
  readonly #sent = new WeakMap<LiveDraft, number>();

  constructor(drafts: Pick<LiveDrafts, "list">, conversationId: string | undefined) {
    this.#drafts = drafts;
    this.#conversationId = conversationId;
  }

  /**
   * What is new since the last call, for a client that has the log up to `position`. A draft is held back until the client
   * has the request that it answers, and ends before the log has the result: it is always sent between the two.
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

/** The length without half of a surrogate pair at the end: the other half is in the next chunk. */
function wholeLength(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
