import type { Counts, Dropped, DropReason, ObelusClientOptions } from "./client.ts";
import { type Outcome, postEvents, type Target } from "./post.ts";
import { type Entry, EventQueue } from "./queue.ts";
import { later, type Timer } from "./timer.ts";

/** The API's limits of events per request, and of 5 MiB with some margin. */
const MOST_EVENTS = 1_000;
const MOST_BYTES = 4_500_000;
const LARGEST_EVENT = 5 * 1024 * 1024 - 2;

/** How long events are batched. */
const GATHER_MS = 200;

/** The first wait after a failure, and the maximum; it doubles each time. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/**
 * Sends events, one request at a time, so that conversations keep their order. When the buffer is full, the newest are
 * dropped: a session without its start could not be shown.
 */
export class Delivery {
  readonly #target: Target;
  readonly #options: DeliveryOptions;
  readonly #most: { events: number; bytes: number };
  readonly #queue = new EventQueue();
  readonly #counts: Omit<Counts, "waiting"> = {
    stored: 0,
    dropped: { buffer_full: 0, refused: 0, too_large: 0, not_json: 0, closed: 0 },
  };
  readonly #flushes = new Set<{ upTo: number; resolve: (isDone: boolean) => void }>();
  /** Accepted events, and those of them that were stored or dropped. */
  #taken = 0;
  #settled = 0;
  /** The current batch size: smaller while a bad event is searched that the server does not name. */
  #batch = MOST_EVENTS;
  #failures = 0;
  #timer: Timer | null = null;
  #isSending = false;
  #isClosed = false;
  readonly #end = new AbortController();

  constructor(target: Target, options: DeliveryOptions) {
    const { maxBufferedEvents = 100_000, maxBufferedBytes = 64 * 1024 * 1024 } = options;
    this.#options = options;
    this.#most = { events: maxBufferedEvents, bytes: maxBufferedBytes };
    this.#target = target;
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
      // Awaiting it keeps the process alive.
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

  /** Sends now or a little later. */
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
    const { requestTimeoutMs } = this.#options;
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

  /** Handles the outcome of a request. */
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

  /** Waits before a retry: exponential backoff with jitter. */
  async #rest({ detail, status, after_ms }: Outcome & { kind: "again" }): Promise<void> {
    const longest = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    const own = (longest / 2) * (1 + Math.random());
    // The server's Retry-After, with jitter, as others have the same.
    const wait = Math.round(after_ms === null ? own : after_ms + Math.random() * FIRST_WAIT_MS);
    this.#failures += 1;
    tell(this.#options.onTrouble, { detail, status, retry_in_ms: wait, waiting: this.#queue.length });
    await new Promise<void>((resolve) => {
      this.#timer = later(wait, resolve);
      if (this.#flushes.size > 0) this.#timer.hold();
    });
    this.#timer = null;
  }

  /** Removes the first `count`, which are stored or dropped, except those to keep. */
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

type DeliveryOptions = Pick<
  ObelusClientOptions,
  "maxBufferedEvents" | "maxBufferedBytes" | "onDropped" | "onTrouble"
> & { requestTimeoutMs: number };

type DroppedEvent = Omit<Dropped, "reason" | "detail">;

/** Exceptions of the agent's callbacks must not stop the delivery. */
function tell<T>(report: ((what: T) => void) | undefined, what: T): void {
  try {
    report?.(what);
  } catch {
    // The agent's own.
  }
}
