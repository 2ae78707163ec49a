import type { Clock } from "../../engine/ports.ts";

/** Shorter timers are waits between attempts, longer ones timeouts. */
const SHORTEST_TIME_OUT_MS = 5_000;

/** A clock on which waits end at once and timeouts are triggered by the test. */
export class TestClock implements Clock {
  /** All requested waits, ms. */
  readonly waits: number[] = [];
  /** The active timeouts. */
  readonly #held = new Set<{ ms: number; act: () => void }>();
  #now = Date.parse("2026-01-01T00:00:00Z");

  now(): number {
    return this.#now;
  }

  later(ms: number, act: () => void): () => void {
    if (ms < SHORTEST_TIME_OUT_MS) {
      this.waits.push(ms);
      const immediate = setImmediate(() => {
        this.#now += ms;
        act();
      });
      return () => clearImmediate(immediate);
    }
    const timer = { ms, act };
    this.#held.add(timer);
    return () => this.#held.delete(timer);
  }

  /** The number of active timeouts. */
  get held(): number {
    return this.#held.size;
  }

  /** Triggers the timeouts of at most `ms`. */
  pass(ms: number): void {
    for (const timer of [...this.#held].filter((each) => each.ms <= ms)) {
      this.#held.delete(timer);
      timer.act();
    }
  }
}
