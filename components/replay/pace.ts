/** Of the time, the panes together may take this share while the playhead moves. The rest is for the playhead itself. */
const SHARE = 1 / 3;
/** However slow the machine is, they follow so soon, ms. */
const LONGEST_MS = 250;

/**
 * Lets the panes follow the playhead as fast as they can be rendered, and no faster: a thread of 500 runs takes 40 ms,
 * and rendering it in every frame, or for every live event, would hold all else up.
 */
export class Pace {
  #free = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** True when the panes may render now; else `later` is called once they may. */
  isFree(later: () => void): boolean {
    const wait = this.#free - performance.now();
    if (wait <= 0) return true;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      later();
    }, wait);
    return false;
  }

  /** Carries out a change and takes note of how long it took to be rendered: by all panes, or by one that has its turn later. */
  measure(change: () => void): void {
    const start = performance.now();
    change();
    // React renders a change of the store before the next task.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const took = performance.now() - start;
      this.#free = Math.min(Math.max(this.#free, start) + took / SHARE, start + LONGEST_MS);
      port1.close();
    };
    port2.postMessage(null);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
