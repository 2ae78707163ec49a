import { createIterationQueue } from "../../event-loop/iteration-queue.ts";

/** To read 1 MB of JSON takes up to 100 ms: larger answers than this, in bytes, wait for a turn of their own. */
const LARGE = 16_000;
const turn = createIterationQueue();

/** Resolves when an answer of a tool may be read: of large ones, and of those whose size is not known, one in each turn of the event loop. */
export async function nextAnswer(bytes = Number.POSITIVE_INFINITY): Promise<void> {
  if (bytes > LARGE) await turn();
}
