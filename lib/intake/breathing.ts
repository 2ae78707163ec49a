import { setImmediate } from "node:timers/promises";

/** So long the values of a file are read in one go, ms: what has arrived at once would else hold everybody up. */
const LONGEST_PART_MS = 10;

/** The same values; others have the thread now and then. */
export async function* breathing<T>(values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, undefined> {
  let partEnds = performance.now() + LONGEST_PART_MS;
  for await (const value of values) {
    if (performance.now() > partEnds) {
      await setImmediate();
      partEnds = performance.now() + LONGEST_PART_MS;
    }
    yield value;
  }
}
