/** Places of what may be open at once, by client. */
export interface Places {
  /** Takes a place; the function that it gives frees that again, once. Null: this client has as many as it may. */
  take(client: string): (() => void) | null;
}

/** Lets each client have `most` of them at once. */
export function createPlaces(most: number): Places {
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
