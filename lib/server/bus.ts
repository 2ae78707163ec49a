/** Tells whoever waits that the log has grown. It carries no events: readers pull from the log by cursor (E13). */
export interface Bus {
  /** Called after a commit with the newest position. */
  publish(position: number): void;
  /** Calls back after commits, with the newest position, until the returned function is called. */
  subscribe(listener: (position: number) => void): () => void;
}

/**
 * For so long, ms, nobody is told again, for each who was told: to wake a reader and write to its socket costs some hundredths of a
 * millisecond, whether one event has come or twenty. Two hundred are told fifty times a second, and a few at once.
 */
const REST_FOR_EACH_MS = 0.1;
const LONGEST_REST_MS = 50;

/** A bus within this process. */
export function createBus(): Bus {
  const listeners = new Set<(position: number) => void>();
  let isResting = false;
  let newest = 0;
  let told = 0;

  function tell(): void {
    told = newest;
    for (const listener of listeners) listener(told);
    const rest = Math.floor(Math.min(LONGEST_REST_MS, listeners.size * REST_FOR_EACH_MS));
    if (rest === 0) return;
    isResting = true;
    setTimeout(() => {
      isResting = false;
      if (newest > told) tell();
    }, rest).unref();
  }

  return {
    publish(position) {
      newest = position;
      if (!isResting) tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
