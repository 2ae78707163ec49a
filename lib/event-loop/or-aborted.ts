/**
 * What the promise gives, or throws the signal's reason when that comes first. Nothing listens to the signal afterwards: Node keeps one of
 * `AbortSignal.any` with all its listeners for as long as a source lives (decision 54).
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
