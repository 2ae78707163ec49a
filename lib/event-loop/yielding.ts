import { createTurns } from "./turns.ts";

/** So long work goes on in one go, ms: everybody else waits meanwhile. */
const LONGEST_PART_MS = 10;

/**
 * A small request takes some turns of the event loop from its socket to its answer. With a part of long work in each of them it
 * waited for as many parts. A turn in which nobody has anything to do costs microseconds.
 */
const TURNS_BETWEEN = 4;

/**
 * Of all work that yields, one part runs in a turn of the event loop: in a turn Node runs everything that waits for the next
 * one, so that ten at once would be ten parts in which nothing arrives and nothing is sent.
 */
const nextTurn = createTurns(TURNS_BETWEEN);

/**
 * Ends a part of long work; the next one begins when everybody else had their turns. Where a part is one call that cannot be
 * divided, such as reading 4 MB of JSON, this belongs before and after it.
 */
export async function yieldToOthers(): Promise<void> {
  waiting += 1;
  await nextTurn();
  waiting -= 1;
}

/** How many parts of long work wait for their turn. */
let waiting = 0;

/** Whether long work waits for its next part: it goes on, though nothing happens now. */
export function isWorkWaiting(): boolean {
  return waiting > 0;
}

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
      await yieldToOthers();
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
