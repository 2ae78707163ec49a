import type { Seed } from "./ids.ts";

const WORDS = 4;
const SEEDS_AT_ONCE = 1_024;

/** Draws seeds for steps from the system's random source, many at once. */
export function createSeeds(): () => Seed {
  const pool = new Uint32Array(WORDS * SEEDS_AT_ONCE);
  let next = pool.length;
  return () => {
    if (next === pool.length) {
      crypto.getRandomValues(pool);
      next = 0;
    }
    const [a = 0, b = 0, c = 0, d = 0] = pool.subarray(next, next + WORDS);
    next += WORDS;
    return [a, b, c, d];
  };
}
