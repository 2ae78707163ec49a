/** How long work goes on before the page gets its turn, ms: half of a frame. */
const SLICE = 8;

/** Does work of many small steps in slices, between which the page answers. Throws the signal's reason when it is aborted. */
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

/** Waits until the page had its turn. A message comes at once, where a timer waits 4 ms. */
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
