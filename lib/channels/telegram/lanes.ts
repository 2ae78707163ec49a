/** Work by key: one key's goes on in one piece after another, and keys do not wait for each other. */
export interface Lanes {
  /** There is something to do. While that key's work is under way, it is looked for once more after it. */
  wake(key: string): void;
  /** For how many keys work is under way. */
  count(): number;
  /** Resolves when no work is under way. */
  idle(): Promise<void>;
}

interface LaneOptions {
  /** Does all there is to do for a key. What it throws has it called again after a while. */
  work: (key: string) => Promise<void>;
  /** Waits before the next try, after so many that failed. Throws when the server stops. */
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
