import type { StoredCounts } from "./counts.ts";
import { type Buckets, decodeTo, noBuckets, quantilesOf } from "./sketch.ts";

/** The latency of turns or calls: the duration that half of all are not above, and so on, in ms; null where there was none. */
export interface Latency {
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

/** What many cells add up to; faster than `Counts`, which are also subtracted. */
export class Sum {
  began = 0;
  count = 0;
  failed = 0;
  escalated = 0;
  #durations: Buckets | null = null;
  #waits: Buckets | null = null;

  /** Adds a cell; without its durations and waits if nobody asks for them. */
  add(row: StoredCounts, withDurations = true): void {
    this.began += row.began;
    this.count += row.count;
    this.failed += row.failed;
    this.escalated += row.escalated;
    if (!withDurations) return;
    if (row.durations.length > 0) decodeTo(this.#durationsToAdd(), row.durations);
    if (row.waits.length > 0) decodeTo(this.#waitsToAdd(), row.waits);
  }

  /** Adds another sum. */
  merge(other: Sum): void {
    this.began += other.began;
    this.count += other.count;
    this.failed += other.failed;
    this.escalated += other.escalated;
    if (other.#durations) addAll(this.#durationsToAdd(), other.#durations);
    if (other.#waits) addAll(this.#waitsToAdd(), other.#waits);
  }

  #durationsToAdd(): Buckets {
    this.#durations ??= noBuckets();
    return this.#durations;
  }

  #waitsToAdd(): Buckets {
    this.#waits ??= noBuckets();
    return this.#waits;
  }

  /** How many durations there are by bucket of a sketch; null for none. */
  get durations(): Buckets | null {
    return this.#durations;
  }

  latency(): Latency {
    const [p50 = null, p95 = null, p99 = null] = quantilesOf(this.#durations, [0.5, 0.95, 0.99]);
    return { p50, p95, p99 };
  }

  /** Answered approvals. */
  get approvals(): number {
    return this.#waits?.reduce((sum, count) => sum + count, 0) ?? 0;
  }

  /** What half of them waited at most, ms. */
  get wait(): number | null {
    return quantilesOf(this.#waits, [0.5])[0] ?? null;
  }
}

/** Sums of many. */
export function sumOf(sums: readonly Sum[]): Sum {
  const sum = new Sum();
  for (const one of sums) sum.merge(one);
  return sum;
}

function addAll(to: Buckets, from: Buckets): void {
  for (const [bucket, count] of from.entries()) if (count > 0) to[bucket] = (to[bucket] ?? 0) + count;
}
