/** Limits concurrency by client. */
export interface Slots {
  /** Acquires a slot; returns its release function. Null: the client has the maximum. */
  take(client: string): (() => void) | null;
}

/** Allows each client `most` at once. */
export function createSlots(most: number): Slots {
  const open = new Map<string, number>();
  return {
    take(client) {
      const count = open.get(client) ?? 0;
      if (count >= most) return null;
      open.set(client, count + 1);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        const left = (open.get(client) ?? 1) - 1;
        if (left > 0) open.set(client, left);
        else open.delete(client);
      };
    },
  };
}
