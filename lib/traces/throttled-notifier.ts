/** Wakes listeners, and not more often than anybody could see. */
interface ThrottledNotifier {
  notify(): void;
  /** Calls back after rings until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** At most one call in this time, ms: exporters send many requests a second. */
const PACE_MS = 200;

/** Makes a bell. Rings within the pace are one; what rings last is heard. */
export function createThrottledNotifier(): ThrottledNotifier {
  const listeners = new Set<() => void>();
  let resting: NodeJS.Timeout | null = null;
  let missed = false;

  function ring(): void {
    if (resting !== null) {
      missed = true;
      return;
    }
    missed = false;
    for (const listener of listeners) listener();
    resting = setTimeout(() => {
      resting = null;
      if (missed) ring();
    }, PACE_MS);
    resting.unref();
  }

  return {
    notify: ring,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
