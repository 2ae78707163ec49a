import { PAGE, type SessionSource } from "./load-session.ts";
import { CHUNK, chunkOf, type SessionCache } from "./session-cache.ts";

/** Sessions up to this length are loaded whole, with two requests. */
const LOADED_WHOLE = 2 * PAGE;
/** The next chunk is fetched this many steps before the edge of the loaded ones. */
const AHEAD = 100;

/** Loads what the cache lacks around the current step, and cancels what is no longer needed. */
export class WindowLoader {
  readonly #cache: SessionCache;
  readonly #source: SessionSource;
  readonly #chunks = new Map<number, { loaded: Promise<void>; abort: AbortController }>();
  readonly #life = new AbortController();
  #view: AbortController | null = null;

  constructor(cache: SessionCache, source: SessionSource) {
    this.#cache = cache;
    this.#source = source;
  }

  /**
   * Loads the session at a step and the events around it. `onLoaded` is called after each response. Resolves when the
   * step and the previous one are loaded, or a newer call has replaced this one; rejects with what `callApi` throws.
   */
  async load(at: number, onLoaded: () => void): Promise<void> {
    this.#view?.abort();
    const abort = new AbortController();
    this.#view = abort;
    this.#giveUpFarFrom(chunkOf(at));
    const parts = [this.#loadChunk(chunkOf(at))];
    // The view shows the step at once; with that of the chunk's start, every step of the chunk can be folded.
    if (!this.#cache.has(at)) parts.push(this.#loadView(at, abort.signal));
    if (!this.#cache.has(at - 1)) parts.push(this.#loadView(chunkOf(at) * CHUNK, abort.signal));
    await Promise.all(parts.map((part) => part.then(onLoaded))).catch((error: unknown) => {
      if (!abort.signal.aborted) throw error;
    });
  }

  /** Loads all of a short session. */
  async loadWhole(last: number, onLoaded: () => void): Promise<void> {
    if (last > LOADED_WHOLE) return;
    for (let after = 0; after < last; after += PAGE) {
      this.#cache.addEvents(await this.#source.events(after, PAGE, this.#life.signal));
      onLoaded();
    }
  }

  /** Loads the next chunk near an edge of the loaded ones. */
  prefetch(at: number, last: number): void {
    const ahead = Math.min(at + AHEAD, last);
    const behind = Math.max(at - AHEAD, 1);
    // A failure here is retried, and reported, when the step gets there.
    if (!this.#cache.eventAt(ahead)) this.#loadChunk(chunkOf(ahead)).catch(() => undefined);
    if (!this.#cache.eventAt(behind)) this.#loadBefore(chunkOf(behind)).catch(() => undefined);
  }

  stop(): void {
    this.#view?.abort();
    this.#life.abort();
    for (const { abort } of this.#chunks.values()) abort.abort();
  }

  /** Steps back are folded from the start of their chunk. */
  async #loadBefore(chunk: number): Promise<void> {
    if (this.#chunks.has(chunk)) return;
    const start = chunk * CHUNK;
    const view = this.#cache.has(start) ? null : this.#loadView(start, this.#life.signal);
    await Promise.all([this.#loadChunk(chunk), view]);
  }

  async #loadView(at: number, signal: AbortSignal): Promise<void> {
    this.#cache.addView(await this.#source.view(at, signal));
  }

  #loadChunk(chunk: number): Promise<void> {
    const start = chunk * CHUNK;
    if (this.#isWhole(chunk)) return Promise.resolve();
    const known = this.#chunks.get(chunk);
    if (known) return known.loaded;
    const abort = new AbortController();
    const loaded = this.#source
      .events(start, CHUNK, abort.signal)
      .then((events) => this.#cache.addEvents(events))
      .finally(() => this.#chunks.get(chunk)?.abort === abort && this.#chunks.delete(chunk));
    this.#chunks.set(chunk, { loaded, abort });
    return loaded;
  }

  #isWhole(chunk: number): boolean {
    return this.#cache.eventAt(chunk * CHUNK + 1) !== null && this.#cache.eventAt((chunk + 1) * CHUNK) !== null;
  }

  #giveUpFarFrom(chunk: number): void {
    for (const [other, { abort }] of this.#chunks) {
      if (Math.abs(other - chunk) <= 1) continue;
      abort.abort();
      this.#chunks.delete(other);
    }
  }
}
