/** Tells listeners the newest value, no more often than they can use it. */
export interface Notifier<T> {
  publish(value: T): void;
  /** Calls back with what is published until the returned function is called. */
  subscribe(listener: (value: T) => void): () => void;
}

/**
 * Tells the first value at once. Then it rests as long as `restOf` the number of listeners says, ms, and tells the newest of the
 * values that came meanwhile.
 */
export function createNotifier<T>(restOf: (listeners: number) => number): Notifier<T> {
  const listeners = new Set<(value: T) => void>();
  let isResting = false;
  let missed: { value: T } | null = null;

  function tell(value: T): void {
    missed = null;
    for (const listener of listeners) listener(value);
    const rest = restOf(listeners.size);
    if (rest === 0) return;
    isResting = true;
    setTimeout(() => {
      isResting = false;
      if (missed) tell(missed.value);
    }, rest).unref();
  }

  return {
    publish(value) {
      if (isResting) missed = { value };
      else tell(value);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
