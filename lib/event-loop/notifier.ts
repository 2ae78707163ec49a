/** Publishes the newest value to listeners at a limited rate. */
export interface Notifier<T> {
  publish(value: T): void;
  /** Subscribes; returns the function that unsubscribes. */
  subscribe(listener: (value: T) => void): () => void;
}

/** Publishes the first value at once, then waits `restOf(listeners)` ms and publishes the newest value of that time. */
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
