import { createParser } from "eventsource-parser";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { DraftPiece } from "./drafts.ts";

/**
 * The connection's state: `offline` once the server has been silent for longer than a restart takes, `signed_out` while
 * the caller is not signed in.
 */
export type Connection = "connecting" | "live" | "reconnecting" | "offline" | "signed_out";

interface StreamOptions {
  url: string;
  /** Events in log order, grouped by chunk. */
  onEvents: (events: SessionEvent[]) => void;
  /** A piece of a draft. Its request was among the earlier events; a new connection sends the draft from its start. */
  onDraft: (piece: DraftPiece) => void;
  onConnection: (connection: Connection) => void;
  /** The number of incomplete traces, when it changes. It starts at none on a new connection. */
  onWaiting?: (count: number) => void;
}

/** The first delay between attempts, ms; doubled each time. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 5_000;

/** The server sends a heartbeat every 15 s; two missed ones and a margin mean a dead connection. */
const SILENCE = 35_000;

/** A restart takes a few seconds; after this time, ms, the page reports that the server is offline. */
const OFFLINE_AFTER = 10_000;

/** Messages of the stream other than events. */
const DRAFT = "message.draft";
const WAITING = "traces.waiting";

/** The stream requires sign-in. */
class SignedOut extends Error {
  override name = "SignedOut";
}

/** Resolves after `ms`, or when the network comes back or the signal aborts. */
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

/** Reads one connection until it ends; throws when it fails or is silent for too long. It never returns normally. */
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
    // The position is beyond the end of the log: the server has a new log, which is read from its start.
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
 * Follows the log as server-sent events until it is closed (E13). It reconnects after a failure and resumes after the
 * last received event, so that no event is lost or repeated.
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
      // The cause of a failure does not matter: the state reports it, and the next attempt follows.
      tell(stateAfter(broken));
      await pause(wait, closing.signal);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  };
  void follow();
  return { close: () => closing.abort() };
}
