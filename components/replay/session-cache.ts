import type { SessionEvent } from "@/lib/session/event.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import type { Session } from "@/lib/session/session.ts";
import { type BareView, fromView } from "@/lib/session/view.ts";

/** Events per chunk. 250 with payloads of 10 kB are 2.5 MB: parsed in 20 ms, folded in 2. */
export const CHUNK = 250;
/** Sessions are kept at every 50th step: folding 250 events takes 10 ms, which is seen while scrubbing. */
const KEPT_EVERY = 50;
/** An entry of a session's maps, in bytes: sessions share the entries' values. */
const ENTRY_WEIGHT = 64;
/** The limit of kept events, in bytes of JSON; objects take about twice that on the heap. */
const MOST_WEIGHT = 64_000_000;
/** The most recent sessions are kept: a step forward folds one event, a step back none. */
const RECENT = 4;

/** The chunk of a step; chunk 0 starts with step 1. */
export function chunkOf(seq: number): number {
  return Math.floor((Math.max(seq, 1) - 1) / CHUNK);
}

interface Chunk {
  /** By index in the chunk; live events may fill it from the end. */
  events: (SessionEvent | undefined)[];
  weight: number;
  /** Sessions from which the chunk's steps can be folded: its start, and loaded views. */
  sessions: Map<number, Session>;
}

/**
 * The loaded parts of a session: events in chunks, and sessions to fold from. It never waits; callers load what is
 * missing. A session is the same whichever way it was reached (E7). The least recently used chunks are evicted, so that
 * a session of any length fits.
 */
export class SessionCache {
  readonly #chunks = new Map<number, Chunk>();
  readonly #empty: Session;
  readonly #mostWeight: number;
  #recent: Session[] = [];
  #weight = 0;

  constructor(conversationId: string | null, mostWeight = MOST_WEIGHT) {
    this.#empty = emptySession(conversationId);
    this.#mostWeight = mostWeight;
  }

  /** Adds a loaded view, from which later steps can be folded. */
  addView(view: BareView): void {
    this.addSession(fromView(view), weightOf(view));
  }

  /** Adds a session of this size in bytes, from which later steps can be folded. */
  addSession(session: Session, weight: number): void {
    this.#keep(session, weight);
    this.#makeRoom();
  }

  /** Adds loaded or live events. */
  addEvents(events: readonly SessionEvent[]): void {
    for (const event of events) {
      const chunk = this.#chunk(chunkOf(event.seq));
      const place = (event.seq - 1) % CHUNK;
      if (chunk.events[place]) continue;
      chunk.events[place] = event;
      this.#weigh(chunk, weightOf(event.payload));
    }
    this.#makeRoom();
  }

  /** The event of a step; null when it is not loaded. */
  eventAt(seq: number): SessionEvent | null {
    return this.#chunks.get(chunkOf(seq))?.events[(seq - 1) % CHUNK] ?? null;
  }

  /** The step of an event among the newest loaded ones; null elsewhere. */
  seqOf(eventId: string, before: number): number | null {
    for (let seq = before; seq > before - 2 * CHUNK && seq > 0; seq -= 1) {
      if (this.eventAt(seq)?.id === eventId) return seq;
    }
    return null;
  }

  /** Whether `sessionAt` has a result, without computing it. */
  has(seq: number): boolean {
    return this.#nearest(seq) !== null;
  }

  /** The session after a step; null when it cannot be folded, or not until then (`performance.now()`): ask again. */
  sessionAt(seq: number, until = Number.POSITIVE_INFINITY): Session | null {
    let session = this.#nearest(seq);
    if (!session) return null;
    this.#touch(chunkOf(seq));
    while (session.at < seq) {
      if (performance.now() > until) return null;
      const end = Math.min((Math.floor(session.at / KEPT_EVERY) + 1) * KEPT_EVERY, seq);
      session = fold(session, this.#eventsBetween(session.at, end));
      if (end % KEPT_EVERY === 0) this.#keep(session, weightOfEntries(session));
    }
    this.#remember(session);
    return session;
  }

  /** The nearest session at or before a step with all events in between. */
  #nearest(seq: number): Session | null {
    for (let place = seq; place > 0; place -= 1) {
      const found = this.#known(place);
      if (found) return found;
      if (!this.eventAt(place)) return null;
    }
    return this.#empty;
  }

  #known(seq: number): Session | undefined {
    return this.#recent.find(({ at }) => at === seq) ?? this.#chunks.get(chunkOf(seq + 1))?.sessions.get(seq);
  }

  /** A session belongs to the chunk of the next step. What it shares with events has no weight of its own. */
  #keep(session: Session, weight: number): void {
    const chunk = this.#chunk(chunkOf(session.at + 1));
    if (chunk.sessions.has(session.at)) return;
    chunk.sessions.set(session.at, session);
    this.#weigh(chunk, weight);
  }

  #weigh(chunk: Chunk, weight: number): void {
    chunk.weight += weight;
    this.#weight += weight;
  }

  *#eventsBetween(after: number, last: number): Generator<SessionEvent> {
    for (let seq = after + 1; seq <= last; seq += 1) {
      const event = this.eventAt(seq);
      if (event) yield event;
    }
  }

  #remember(session: Session): void {
    if (this.#recent.includes(session)) return;
    this.#recent = [session, ...this.#recent.slice(0, RECENT - 1)];
  }

  #chunk(index: number): Chunk {
    const known = this.#chunks.get(index);
    if (known) return known;
    const chunk: Chunk = { events: [], weight: 0, sessions: new Map() };
    this.#chunks.set(index, chunk);
    return chunk;
  }

  /** A map keeps insertion order: the first is the least recently used. */
  #touch(index: number): void {
    const chunk = this.#chunks.get(index);
    if (!chunk) return;
    this.#chunks.delete(index);
    this.#chunks.set(index, chunk);
  }

  #makeRoom(): void {
    for (const [index, chunk] of this.#chunks) {
      if (this.#weight <= this.#mostWeight || this.#chunks.size <= 2) return;
      this.#chunks.delete(index);
      this.#weight -= chunk.weight;
    }
  }
}

function weightOfEntries({ messages, calls, runs, plans }: Session): number {
  return ENTRY_WEIGHT * (messages.length + calls.size + runs.size + plans.size);
}

/** The approximate size of a JSON text's values, without visiting them. */
export function weightOfText(json: string): number {
  return 2 * json.length;
}

/** The approximate size of a JSON value in bytes: two per character, and some per value. */
function weightOf(value: unknown): number {
  if (typeof value === "string") return 16 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce<number>((sum, part) => sum + 16 + weightOf(part), 16);
}
