/** Tells whoever waits that the log has grown. It carries no events: readers pull from the log by cursor (E13). */
export interface Bus {
  /** Called after a commit with the newest position. */
  publish(position: number): void;
  /** Calls back after each commit until the returned function is called. */
  subscribe(listener: (position: number) => void): () => void;
}

/** A bus within this process. */
export function createBus(): Bus {
  const listeners = new Set<(position: number) => void>();
  return {
    publish(position) {
      for (const listener of listeners) listener(position);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
