import type { Clock } from "../../engine/ports.ts";

/** Shorter timers are waits between tries, longer ones time-outs. */
const SHORTEST_TIME_OUT_MS = 5_000;

/** A clock on which waits are over at once and time-outs never come by themselves. */
export class TestClock implements Clock {
  /** Every wait that somebody asked for, in ms. */
  readonly waits: number[] = [];
  /** The time-outs that nobody has called off. */
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

  /** How many time-outs are set. */
  get held(): number {
    return this.#held.size;
  }

  /** Lets the time-outs of at most `ms` come. */
  pass(ms: number): void {
    for (const timer of [...this.#held].filter((each) => each.ms <= ms)) {
      this.#held.delete(timer);
      timer.act();
    }
  }
}
