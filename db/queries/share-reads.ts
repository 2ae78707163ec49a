/**
 * Shares one read between concurrent callers. Callers during a read get the next one, so that no result is older than
 * its request.
 */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function begin(): Promise<T> {
    const reading = read().finally(() => {
      if (current === reading) current = null;
    });
    current = reading;
    return reading;
  }

  function beginNext(): Promise<T> {
    next = null;
    return begin();
  }

  return () => {
    if (current === null) return begin();
    next ??= current.then(beginNext, beginNext);
    return next;
  };
}
