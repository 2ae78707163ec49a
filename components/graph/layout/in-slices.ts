/** The length of a slice, ms: half a frame. */
const SLICE = 8;

/** Runs work in slices and yields to the event loop in between. Throws the signal's reason when aborted. */
export async function inSlices<T>(steps: Generator<unknown, T>, signal: AbortSignal): Promise<T> {
  let until = performance.now() + SLICE;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await pageTurn();
    signal.throwIfAborted();
    until = performance.now() + SLICE;
  }
}

/** Yields to the event loop. A message arrives at once, a timer after 4 ms. */
export function pageTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
