import { setImmediate } from "node:timers/promises";

/** So long the values of a file are read in one go, ms: what has arrived at once would else hold everybody up. */
const LONGEST_PART_MS = 10;

/** Says when others are to have the thread, in work that goes on by small steps. */
export interface Breath {
  isDue(): boolean;
  /** Lets others have it, once. */
  take(): Promise<void>;
}

/** Makes one for work that begins now. */
export function createBreath(): Breath {
  let partEnds = performance.now() + LONGEST_PART_MS;
  return {
    isDue: () => performance.now() > partEnds,
    async take() {
      await setImmediate();
      partEnds = performance.now() + LONGEST_PART_MS;
    },
  };
}

/** The same values; others have the thread now and then. */
export async function* breathing<T>(values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, undefined> {
  const breath = createBreath();
  for await (const value of values) {
    if (breath.isDue()) await breath.take();
    yield value;
  }
}
