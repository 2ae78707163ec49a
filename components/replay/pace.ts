/** The share of time that panes may use while the step changes. The rest is for the playhead. */
const SHARE = 1 / 3;
/** The longest delay on slow machines, ms. */
const LONGEST_MS = 250;

/**
 * Lets panes follow the current step as fast as they render: a thread of 500 runs takes 40 ms, and rendering it on
 * every frame or event would block everything else.
 */
export class Pace {
  readonly #queue: (() => void)[] = [];
  #free = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame: number | null = null;

  /** True when panes may render now; else `later` is called once they may. */
  isFree(later: () => void): boolean {
    const wait = this.#free - performance.now();
    if (wait <= 0) return true;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      later();
    }, wait);
    return false;
  }

  /** Applies a change and measures how long it takes to render: for all panes, or for one in its own frame. */
  measure(change: () => void): void {
    const start = performance.now();
    change();
    // React renders a store change before the next task.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const took = performance.now() - start;
      this.#free = Math.min(Math.max(this.#free, start) + took / SHARE, start + LONGEST_MS);
      port1.close();
    };
    port2.postMessage(null);
  }

  /** Applies a change in a frame of its own, after those that wait. A change that waits is not added again. */
  inTurn(change: () => void): void {
    if (!this.#queue.includes(change)) this.#queue.push(change);
    this.#frame ??= requestAnimationFrame(this.#applyNext);
  }

  /** Removes a change that waits for its frame. */
  skip(change: () => void): void {
    const place = this.#queue.indexOf(change);
    if (place >= 0) this.#queue.splice(place, 1);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#queue.length = 0;
  }

  readonly #applyNext = (): void => {
    this.#frame = null;
    if (performance.now() >= this.#free) {
      const change = this.#queue.shift();
      if (change) this.measure(change);
    }
    if (this.#queue.length > 0) this.#frame ??= requestAnimationFrame(this.#applyNext);
  };
}
