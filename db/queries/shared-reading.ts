/**
 * The same reading for all who ask for it at once. Whoever asks while one goes on gets the one after it, so that none is older
 * than its question.
 */
export function sharedReading<T>(read: () => Promise<T>): () => Promise<T> {
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
