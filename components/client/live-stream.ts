import { createParser } from "eventsource-parser";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { DraftPiece } from "./drafts.ts";

/**
 * Whether the page hears the server: `offline` once it has been silent for longer than a restart takes, `signed_out`
 * while it tells nothing to who has not signed in.
 */
export type Connection = "connecting" | "live" | "reconnecting" | "offline" | "signed_out";

interface StreamOptions {
  url: string;
  /** Events as they arrive, in the log's order, grouped by what came in one piece. */
  onEvents: (events: SessionEvent[]) => void;
  /** A piece of an answer that is coming. Its request was among the events before; on a new connection it begins anew. */
  onDraft: (piece: DraftPiece) => void;
  onConnection: (connection: Connection) => void;
  /** How many traces wait for the rest of their spans, when that changes. On a new connection it begins at none. */
  onWaiting?: (count: number) => void;
}

/** Waits between attempts, ms: doubled each time. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 5_000;

/** The server sends a heartbeat every 15 s; two missed and a little more mean a dead connection. */
const SILENCE = 35_000;

/** A restart of the server takes a few seconds; after this, ms, the page says that it is gone. */
const OFFLINE_AFTER = 10_000;

/** What the stream sends beside the log. */
const DRAFT = "message.draft";
const WAITING = "traces.waiting";

/** The server tells nothing to who has not signed in. */
class SignedOut extends Error {
  override name = "SignedOut";
}

/** Ends after `ms`, or at once when the network comes back or the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const done = () => {
      clearTimeout(timer);
      listening.abort();
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done, { signal: listening.signal });
    signal.addEventListener("abort", done, { signal: listening.signal });
  });
}

/** Reads one connection until it ends; throws when it fails or falls silent. Returns nothing: it never ends well. */
async function readConnection(
  { url, onEvents, onDraft, onConnection, onWaiting }: StreamOptions,
  place: { lastId: string | null },
  closed: AbortSignal,
): Promise<void> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE);
  let batch: SessionEvent[] = [];
  const handOn = () => {
    if (batch.length > 0) onEvents(batch);
    batch = [];
  };
  const parser = createParser({
    onId: (id) => {
      place.lastId = id;
    },
    onEvent({ event, data }) {
      if (event === WAITING) return onWaiting?.(JSON.parse(data).count);
      if (event !== DRAFT) return void batch.push(JSON.parse(data));
      handOn();
      onDraft(JSON.parse(data));
    },
  });
  try {
    const response = await fetch(url, {
      headers: { accept: "text/event-stream", ...(place.lastId === null ? {} : { "last-event-id": place.lastId }) },
      cache: "no-store",
      signal: AbortSignal.any([closed, silent.signal]),
    });
    // The place is beyond the log's end: the server has another log now, which is followed from where it stands.
    if (response.status === 400) place.lastId = null;
    if (response.status === 401) throw new SignedOut("The stream asks for a sign-in");
    if (!response.ok || !response.body) throw new Error(`The stream was refused: ${response.status}`);
    onConnection("live");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE);
      parser.feed(piece.value);
      handOn();
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Follows the log as server-sent events until it is closed (E13). Connections that break or fall silent are made
 * again, and go on after the last event heard, so that none is lost and none comes twice.
 */
export function openStream(options: StreamOptions): { close(): void } {
  const closing = new AbortController();
  const place: { lastId: string | null } = { lastId: null };
  let heard = performance.now();
  let wait = FIRST_WAIT;

  const tell = (connection: Connection) => {
    if (connection === "live") wait = FIRST_WAIT;
    options.onConnection(connection);
  };
  const stateAfter = (error: unknown): Connection => {
    if (error instanceof SignedOut) return "signed_out";
    return performance.now() - heard > OFFLINE_AFTER ? "offline" : "reconnecting";
  };
  const follow = async () => {
    tell("connecting");
    while (!closing.signal.aborted) {
      const broken = await readConnection({ ...options, onConnection: tell }, place, closing.signal).then(
        () => null,
        (error: unknown) => error,
      );
      if (closing.signal.aborted) return;
      if (broken === null || wait === FIRST_WAIT) heard = performance.now();
      // Why else a connection broke does not matter: the state says that it did, and the next attempt follows.
      tell(stateAfter(broken));
      await pause(wait, closing.signal);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  };
  void follow();
  return { close: () => closing.abort() };
}
