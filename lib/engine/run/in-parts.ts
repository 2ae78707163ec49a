import { setImmediate as turn } from "node:timers/promises";

/** So long work goes on in one go, ms. */
const LONGEST_PART_MS = 10;

/** Does what comes in parts; everybody else has the thread between them, now and then. */
export async function inParts(parts: Iterable<void>): Promise<void> {
  let partEnds = performance.now() + LONGEST_PART_MS;
  for (const _ of parts) {
    if (performance.now() < partEnds) continue;
    await turn();
    partEnds = performance.now() + LONGEST_PART_MS;
  }
}
