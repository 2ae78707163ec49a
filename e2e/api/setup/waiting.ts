/** Those who wait until something can be found in what comes in. */
export interface Waiting {
  /** Resolves with what `found` gives as soon as it is not undefined, now or when `look` is called. */
  waitFor<T>(found: () => T | undefined): Promise<T>;
  /** Something has come in: all of them look again. */
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
