import { createIterationQueue } from "./iteration-queue.ts";

/** How long work runs without yielding, ms. */
const LONGEST_PART_MS = 10;

/**
 * A small request takes several iterations of the event loop. With a part of long work in each, it waited for as many
 * parts. An empty iteration costs microseconds.
 */
const ITERATIONS_BETWEEN = 4;

/**
 * Only one part of all long work runs per iteration: Node runs all immediates of an iteration together, so ten parts
 * would block I/O ten times as long.
 */
const nextIteration = createIterationQueue(ITERATIONS_BETWEEN);

/**
 * Yields to the event loop until the next part may run. Also call it before and after work that cannot be divided, such
 * as parsing 4 MB of JSON.
 */
export async function yieldToEventLoop(): Promise<void> {
  waiting += 1;
  await nextIteration();
  waiting -= 1;
}

/** The number of parts waiting. */
let waiting = 0;

/** Whether long work is waiting for its next part, so that the process is not idle. */
export function isWorkWaiting(): boolean {
  return waiting > 0;
}

/** Tells stepwise work when to yield. */
export interface Yielder {
  isDue(): boolean;
  /** Yields once. */
  yieldOnce(): Promise<void>;
}

/** Creates one for work that starts now. */
export function createYielder(): Yielder {
  let partEnds = performance.now() + LONGEST_PART_MS;
  return {
    isDue: () => performance.now() > partEnds,
    async yieldOnce() {
      await yieldToEventLoop();
      partEnds = performance.now() + LONGEST_PART_MS;
    },
  };
}

/** The same values, yielding to the event loop between them. */
export async function* yielding<T>(values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, undefined> {
  const yielder = createYielder();
  for await (const value of values) {
    if (yielder.isDue()) await yielder.yieldOnce();
    yield value;
  }
}

/** Runs work in parts, yielding to the event loop between them. */
export async function inParts(parts: Iterable<void>): Promise<void> {
  const yielder = createYielder();
  for (const _ of parts) if (yielder.isDue()) await yielder.yieldOnce();
}
