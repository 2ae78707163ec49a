import type { StoredCounts } from "./counts.ts";
import { type Buckets, decodeInto, decodeTo, noBuckets, quantilesOf, type Sketch } from "./sketch.ts";

/** The latency of turns or calls: the duration that half of all are not above, and so on, in ms; null where there was none. */
export interface Latency {
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

/**
 * Different durations up to which a sum is a sparse sketch: an overview with 10,000 names of each dimension has 100,000 sums, and all
 * buckets of one take 10 kB.
 */
const MOST_SPARSE = 24;

/** Durations to add to: sparse while they are few, then in all buckets, which is faster. */
class Durations {
  #sparse: Sketch = new Map();
  #all: Buckets | null = null;

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#all) {
      decodeTo(this.#all, bytes);
      return;
    }
    decodeInto(this.#sparse, bytes);
    if (this.#sparse.size > MOST_SPARSE) this.#fill();
  }

  merge(other: Durations): void {
    if (!other.#all && other.#sparse.size === 0) return;
    const all = this.#all ?? this.#fill();
    for (const [bucket, count] of (other.#all ?? other.#sparse).entries())
      if (count > 0) all[bucket] = (all[bucket] ?? 0) + count;
  }

  /** How many durations there are by bucket of a sketch; null for none. */
  buckets(): Buckets | null {
    if (this.#all || this.#sparse.size === 0) return this.#all;
    return toBuckets(this.#sparse);
  }

  #fill(): Buckets {
    this.#all = toBuckets(this.#sparse);
    this.#sparse.clear();
    return this.#all;
  }
}

function toBuckets(sketch: Sketch): Buckets {
  const buckets = noBuckets();
  for (const [bucket, count] of sketch) buckets[bucket] = count;
  return buckets;
}

/** What many cells add up to; faster than `Counts`, which are also subtracted. */
export class Sum {
  began = 0;
  count = 0;
  failed = 0;
  escalated = 0;
  readonly #durations = new Durations();
  readonly #waits = new Durations();

  /** Adds a cell; without its durations and waits if nobody asks for them. */
  add(row: StoredCounts, withDurations = true): void {
    this.began += row.began;
    this.count += row.count;
    this.failed += row.failed;
    this.escalated += row.escalated;
    if (!withDurations) return;
    this.#durations.add(row.durations);
    this.#waits.add(row.waits);
  }

  /** Adds another sum. */
  merge(other: Sum): void {
    this.began += other.began;
    this.count += other.count;
    this.failed += other.failed;
    this.escalated += other.escalated;
    this.#durations.merge(other.#durations);
    this.#waits.merge(other.#waits);
  }

  /** How many durations there are by bucket of a sketch; null for none. */
  get durations(): Buckets | null {
    return this.#durations.buckets();
  }

  latency(): Latency {
    const [p50 = null, p95 = null, p99 = null] = quantilesOf(this.durations, [0.5, 0.95, 0.99]);
    return { p50, p95, p99 };
  }

  /** Answered approvals. */
  get approvals(): number {
    return this.#waits.buckets()?.reduce((sum, count) => sum + count, 0) ?? 0;
  }

  /** What half of them waited at most, ms. */
  get wait(): number | null {
    return quantilesOf(this.#waits.buckets(), [0.5])[0] ?? null;
  }
}

/** Sums of many. */
export function sumOf(sums: readonly Sum[]): Sum {
  const sum = new Sum();
  for (const one of sums) sum.merge(one);
  return sum;
}
