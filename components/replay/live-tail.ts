import type { SessionEvent } from "@/lib/session/event.ts";
import { PAGE, type SessionSource } from "./load-session.ts";

/** Events of a burst are applied together, because more frequent renders would not be visible, ms. */
const TOGETHER_MS = 30;

/** How the tail reaches the store. */
interface Tail {
  /** The store's newest step. */
  last(): number;
  /** Applies the events that follow `last`, in order and without gaps. */
  apply(events: SessionEvent[]): void;
  /** Called when a gap could not be closed; the next event or connection retries. */
  onFailure(error: unknown): void;
}

/**
 * Delivers live events to the store in order: each step once, and gaps closed by one fetch however many events wait.
 */
export class LiveTail {
  readonly #tail: Tail;
  readonly #source: SessionSource;
  readonly #abort = new AbortController();
  #waiting: SessionEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #closing = false;
  #again = false;

  constructor(tail: Tail, source: SessionSource) {
    this.#tail = tail;
    this.#source = source;
  }

  /** Takes events from the stream, which may be repeated, reordered or incomplete. */
  receive(events: readonly SessionEvent[]): void {
    this.#waiting.push(...events);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#applyWaiting();
    }, TOGETHER_MS);
  }

  /** Fetches what follows the newest step until there is no more. */
  async closeGap(): Promise<void> {
    this.#again = true;
    if (this.#closing) return;
    this.#closing = true;
    try {
      while (this.#again) {
        this.#again = false;
        const events = await this.#source.events(this.#tail.last(), PAGE, this.#abort.signal);
        this.#applyInOrder(events);
        if (events.length === PAGE) this.#again = true;
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#tail.onFailure(error);
    } finally {
      this.#closing = false;
    }
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #applyWaiting(): void {
    const events = this.#waiting;
    this.#waiting = [];
    if (this.#applyInOrder(events)) return;
    void this.closeGap();
  }

  /** Applies what follows the newest step; false when an event is beyond a gap. */
  #applyInOrder(events: readonly SessionEvent[]): boolean {
    const next: SessionEvent[] = [];
    let last = this.#tail.last();
    let isWhole = true;
    for (const event of events) {
      if (event.seq === last + 1) {
        next.push(event);
        last = event.seq;
      } else if (event.seq > last) isWhole = false;
    }
    if (next.length > 0) this.#tail.apply(next);
    return isWhole;
  }
}
