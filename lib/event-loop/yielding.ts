import { setImmediate } from "node:timers/promises";

/** So long work goes on in one go, ms: everybody else waits meanwhile. */
const LONGEST_PART_MS = 10;

/** Tells work that goes on by small steps when to yield to the event loop. */
export interface Yielder {
  isDue(): boolean;
  /** Lets everybody else have a turn, once. */
  yieldOnce(): Promise<void>;
}

/** Makes one for work that begins now. */
export function createYielder(): Yielder {
  let partEnds = performance.now() + LONGEST_PART_MS;
  return {
    isDue: () => performance.now() > partEnds,
    async yieldOnce() {
      await setImmediate();
      partEnds = performance.now() + LONGEST_PART_MS;
    },
  };
}

/** The same values, with turns for everybody else between them. */
export async function* yielding<T>(values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, undefined> {
  const yielder = createYielder();
  for await (const value of values) {
    if (yielder.isDue()) await yielder.yieldOnce();
    yield value;
  }
}

/** Does work that comes in parts, with turns for everybody else between them. */
export async function inParts(parts: Iterable<void>): Promise<void> {
  const yielder = createYielder();
  for (const _ of parts) if (yielder.isDue()) await yielder.yieldOnce();
}
