import type { Counts, Dropped, DropReason, ObelusClientOptions } from "./client.ts";
import { type Outcome, postEvents, type Target } from "./post.ts";
import { type Entry, EventQueue } from "./queue.ts";
import { later, type Timer } from "./timer.ts";

/** The API's limits: so many events a request, and 5 MiB; some room is left. */
const MOST_EVENTS = 1_000;
const MOST_BYTES = 4_500_000;
const LARGEST_EVENT = 5 * 1024 * 1024 - 2;

/** Events are gathered for so long. */
const GATHER_MS = 200;

/** The first wait after a failure, and the longest; each is twice the one before. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/**
 * Sends events, one request at a time: so each conversation keeps its order. What does not fit into the buffer is dropped,
 * the newest: a session is folded from its beginning, and one that lacks it could not be shown at all.
 */
export class Delivery {
  readonly #target: Target;
  readonly #options: ObelusClientOptions;
  readonly #most: { events: number; bytes: number };
  readonly #queue = new EventQueue();
  readonly #counts: Omit<Counts, "waiting"> = {
    stored: 0,
    dropped: { buffer_full: 0, refused: 0, too_large: 0, not_json: 0, closed: 0 },
  };
  readonly #flushes = new Set<{ upTo: number; resolve: (isDone: boolean) => void }>();
  /** Events that were taken in, and those of them that are stored or dropped. */
  #taken = 0;
  #settled = 0;
  /** So many events a request: fewer while one is looked for that the server does not name. */
  #batch = MOST_EVENTS;
  #failures = 0;
  #timer: Timer | null = null;
  #isSending = false;
  #isClosed = false;
  readonly #end = new AbortController();

  constructor(options: ObelusClientOptions) {
    const { url, apiKey, maxBufferedEvents = 100_000, maxBufferedBytes = 64 * 1024 * 1024 } = options;
    this.#options = options;
    this.#most = { events: maxBufferedEvents, bytes: maxBufferedBytes };
    this.#target = {
      url: new URL("api/events", url.endsWith("/") ? url : `${url}/`),
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    };
  }

  take(entry: Entry): void {
    if (this.#isClosed) return this.drop("closed", "The client is closed", entry);
    if (entry.bytes > LARGEST_EVENT) return this.drop("too_large", `It has ${entry.bytes} bytes`, entry);
    const { events, bytes } = this.#most;
    if (this.#queue.length >= events || this.#queue.bytes + entry.bytes > bytes) {
      return this.drop("buffer_full", `${this.#queue.length} events wait to be sent`, entry);
    }
    this.#queue.push(entry);
    this.#taken += 1;
    this.#wake();
  }

  drop(reason: DropReason, detail: string, { id, conversation_id, type, json }: DroppedEvent): void {
    this.#counts.dropped[reason] += 1;
    tell(this.#options.onDropped, { reason, detail, id, conversation_id, type, json });
  }

  counts(): Counts {
    return { ...this.#counts, dropped: { ...this.#counts.dropped }, waiting: this.#queue.length };
  }

  flush(timeoutMs: number | null): Promise<boolean> {
    if (this.#settled >= this.#taken) return Promise.resolve(true);
    return new Promise((resolve) => {
      const flush = { upTo: this.#taken, resolve };
      this.#flushes.add(flush);
      // Whoever awaits it wants the process to stay.
      this.#timer?.hold();
      if (timeoutMs !== null) {
        const timer = later(timeoutMs, () => this.#resolve(flush, false));
        timer.hold();
        flush.resolve = (isDone) => {
          timer.cancel();
          resolve(isDone);
        };
      }
      this.#wake();
    });
  }

  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    await this.flush(timeoutMs);
    this.#end.abort(new Error("The client was closed"));
    this.#timer?.cancel();
    const rest = this.#queue.first(this.#queue.length, Number.POSITIVE_INFINITY);
    this.#settle(rest.length, () => false);
    for (const entry of rest) this.drop("closed", "Its time was over before it was sent", entry);
  }

  /** Sends when there is reason to, else a little later. */
  #wake(): void {
    if (this.#isSending || this.#queue.length === 0 || this.#end.signal.aborted) return;
    if (!this.#isDue()) {
      this.#timer ??= later(GATHER_MS, () => void this.#send());
      return;
    }
    this.#timer?.cancel();
    void this.#send();
  }

  #isDue(): boolean {
    return this.#flushes.size > 0 || this.#queue.length >= this.#batch || this.#queue.bytes >= MOST_BYTES;
  }

  async #send(): Promise<void> {
    this.#timer = null;
    this.#isSending = true;
    do {
      const batch = this.#queue.first(this.#batch, MOST_BYTES);
      const outcome = await this.#post(batch);
      if (this.#end.signal.aborted) break;
      await this.#heed(batch, outcome);
    } while (this.#queue.length > 0 && (this.#isDue() || this.#failures > 0) && !this.#end.signal.aborted);
    this.#isSending = false;
    this.#wake();
  }

  async #post(batch: readonly Entry[]): Promise<Outcome> {
    const ending = new AbortController();
    const { requestTimeoutMs = 30_000 } = this.#options;
    const timeout = later(requestTimeoutMs, () =>
      ending.abort(new Error(`There was no answer within ${requestTimeoutMs} ms`)),
    );
    const end = () => ending.abort(this.#end.signal.reason);
    this.#end.signal.addEventListener("abort", end, { once: true });
    const outcome = await postEvents(this.#target, batch, ending.signal);
    this.#end.signal.removeEventListener("abort", end);
    timeout.cancel();
    return outcome;
  }

  /** Does what the outcome of a request asks for. */
  async #heed(batch: readonly Entry[], outcome: Outcome): Promise<void> {
    switch (outcome.kind) {
      case "stored":
        this.#failures = 0;
        this.#batch = Math.min(this.#batch * 2, MOST_EVENTS);
        this.#counts.stored += batch.length;
        return this.#settle(batch.length, () => false);
      case "refused":
        this.#failures = 0;
        return this.#refuse(batch, outcome.faults);
      case "too_much":
        this.#failures = 0;
        if (batch.length === 1) return this.#refuse(batch, new Map([[0, outcome.detail]]));
        this.#batch = Math.ceil(batch.length / 2);
        return;
      case "again":
        return this.#rest(outcome);
      default:
        return outcome satisfies never;
    }
  }

  #refuse(batch: readonly Entry[], faults: ReadonlyMap<number, string>): void {
    this.#settle(batch.length, (index) => !faults.has(index));
    for (const [index, entry] of batch.entries()) {
      const detail = faults.get(index);
      if (detail !== undefined) this.drop("refused", detail, entry);
    }
  }

  /** Waits before the next try: twice as long each time, and never all clients at once. */
  async #rest({ detail, status, after_ms }: Outcome & { kind: "again" }): Promise<void> {
    const longest = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    const own = (longest / 2) * (1 + Math.random());
    // As long as the server asks for, and a little more: others have been told the same.
    const wait = Math.round(after_ms === null ? own : after_ms + Math.random() * FIRST_WAIT_MS);
    this.#failures += 1;
    tell(this.#options.onTrouble, { detail, status, retry_in_ms: wait, waiting: this.#queue.length });
    await new Promise<void>((resolve) => {
      this.#timer = later(wait, resolve);
      if (this.#flushes.size > 0) this.#timer.hold();
    });
    this.#timer = null;
  }

  /** The first `count` are stored or given up, those apart that are kept. */
  #settle(count: number, keep: (index: number) => boolean): void {
    const before = this.#queue.length;
    this.#queue.settle(count, keep);
    this.#settled += before - this.#queue.length;
    for (const flush of [...this.#flushes]) if (flush.upTo <= this.#settled) this.#resolve(flush, true);
  }

  #resolve(flush: { upTo: number; resolve: (isDone: boolean) => void }, isDone: boolean): void {
    if (this.#flushes.delete(flush)) flush.resolve(isDone);
  }
}

type DroppedEvent = Omit<Dropped, "reason" | "detail">;

/** What the agent's own reports throw must not stop the delivery. */
function tell<T>(report: ((what: T) => void) | undefined, what: T): void {
  try {
    report?.(what);
  } catch {
    // The agent's own.
  }
}
