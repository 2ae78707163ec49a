/** Serializes work by key: one at a time per key, keys concurrently. */
export interface Lanes {
  /** Starts work for a key, or repeats it after the work in progress. */
  wake(key: string): void;
  /** The number of keys with work in progress. */
  count(): number;
  /** Resolves when no work is in progress. */
  idle(): Promise<void>;
}

interface LaneOptions {
  /** Does all work of a key. If it throws, it is called again after a delay. */
  work: (key: string) => Promise<void>;
  /** Waits before the next attempt, after a number of failures. Throws when the server stops. */
  rest: (failures: number) => Promise<void>;
  onFailure: (error: unknown, key: string) => void;
  stopping: AbortSignal;
}

export function createLanes({ work, rest, onFailure, stopping }: LaneOptions): Lanes {
  const lanes = new Map<string, { again: boolean; done: Promise<void> }>();

  async function run(key: string, lane: { again: boolean }): Promise<void> {
    let failures = 0;
    while (lane.again && !stopping.aborted) {
      lane.again = false;
      try {
        await work(key);
        failures = 0;
      } catch (error) {
        if (stopping.aborted) break;
        onFailure(error, key);
        failures += 1;
        lane.again = await rest(failures).then(
          () => true,
          () => false,
        );
      }
    }
    lanes.delete(key);
  }

  return {
    wake(key) {
      const known = lanes.get(key);
      if (known) {
        known.again = true;
        return;
      }
      const lane = { again: true, done: Promise.resolve() };
      lanes.set(key, lane);
      lane.done = run(key, lane);
    },
    count: () => lanes.size,
    async idle() {
      await Promise.all([...lanes.values()].map(({ done }) => done));
    },
  };
}
