import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../lib/engine/ports.ts";
import { isWorkWaiting } from "../../lib/event-loop/yielding.ts";

/**
 * After this many event loop turns without a request for the time there will be none, unless long work has yielded: the
 * engine waits one turn before it applies new inputs, and so does each run that waits for another.
 */
const QUIET_TURNS = 5;

/** A clock that jumps to the next timer as soon as nothing else can run. */
export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;
  /** The number of requests for the time or a timer: while it grows, work continues. */
  #asked = 0;

  /** Starts at `start`, epoch ms. */
  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    this.#asked += 1;
    return this.#now;
  }

  later(ms: number, act: () => void): () => void {
    this.#asked += 1;
    const timer = { at: this.#now + ms, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.later(ms, resolve));
  }

  /** Advances time until `done` settles, and returns its value. Throws when nothing is left that could settle it. */
  async until<T>(done: Promise<T>): Promise<T> {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    done.then(settle, settle);
    for (;;) {
      await this.#quiet();
      if (settled) return done;
      this.#jump();
    }
  }

  async #quiet(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const before = this.#asked;
      await setImmediate();
      if (this.#asked > before || isWorkWaiting()) quiet = -1;
    }
  }

  /** Timers of the same time fire in the order in which they were set. */
  #jump(): void {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (!next || timer.at < next.at) next = timer;
    if (!next) throw new Error("Nothing is left to happen");
    this.#timers.delete(next);
    this.#now = next.at;
    next.act();
  }
}

interface Timer {
  at: number;
  act: () => void;
}
