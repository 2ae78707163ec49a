/** Waits for conditions on received data. */
export interface Waiting {
  /** Resolves with the result of `found` as soon as it is not undefined, now or after `look`. */
  waitFor<T>(found: () => T | undefined): Promise<T>;
  /** Data was received: all conditions are checked again. */
  look(): void;
}

export function createWaiting(): Waiting {
  const waiting = new Set<() => void>();
  return {
    waitFor<T>(found: () => T | undefined): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<T>();
      const look = () => {
        const result = found();
        if (result === undefined) return;
        waiting.delete(look);
        resolve(result);
      };
      waiting.add(look);
      look();
      return promise;
    },
    look() {
      for (const look of waiting) look();
    },
  };
}
