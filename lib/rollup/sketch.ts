/**
 * A histogram of durations with logarithmic buckets, as in DDSketch: how many durations there are by bucket. Quantiles are within
 * 1 % of the exact ones. Sketches are added and subtracted by bucket, so the order does not matter.
 */
export type Sketch = Map<number, number>;

/** How far a quantile may be from the exact one. */
const ERROR = 0.01;
const BASE = (1 + ERROR) / (1 - ERROR);
const LOG_BASE = Math.log(BASE);

/** The bucket of a duration in ms; 0 for less than 1 ms. */
export function bucketOf(ms: number): number {
  return ms < 1 ? 0 : Math.min(BUCKETS - 1, 1 + Math.ceil(Math.log(ms) / LOG_BASE));
}

/** The duration in ms that stands for a bucket. */
export function durationOf(bucket: number): number {
  return bucket === 0 ? 0 : (2 * BASE ** (bucket - 1)) / (BASE + 1);
}

/** Than what all durations are longer for which this quantile stands, in whole ms: it may be above the longest of them. */
export function below(quantile: number): number {
  return Math.floor(quantile / (1 + ERROR));
}

/** Counts a duration in ms. */
export function note(sketch: Sketch, ms: number): void {
  addTo(sketch, bucketOf(ms), 1);
}

/** Adds the counts of another sketch, or subtracts them with the sign -1. */
export function merge(sketch: Sketch, other: Sketch, sign: 1 | -1 = 1): void {
  for (const [bucket, count] of other) addTo(sketch, bucket, sign * count);
}

/** A sketch to add to: how many durations there are by bucket. */
export type Buckets = Float64Array;

/** The last bucket has durations from 9 months on. */
const BUCKETS = 1_200;

export function noBuckets(): Buckets {
  return new Float64Array(BUCKETS);
}

/**
 * The place of the value that a part (0 to 1) of so many are not above, from 1: the nearest rank. p99 of two is the longer one, as it is
 * of a hundred.
 */
export function rankOf(part: number, count: number): number {
  // 0.07 × 100 is more than 7 by rounding.
  return Math.max(1, Math.ceil(part * count - 1e-9));
}

/** The durations in ms that parts (0 to 1, ascending) of all are not above; null for an empty sketch. */
export function quantilesOf(buckets: Buckets | null, parts: readonly number[]): (number | null)[] {
  const sum = buckets?.reduce((all, count) => all + count, 0) ?? 0;
  if (!buckets || sum <= 0) return parts.map(() => null);
  let seen = 0;
  let next = -1;
  return parts.map((part) => {
    const rank = rankOf(part, sum);
    while (seen < rank && next < BUCKETS - 1) {
      next += 1;
      seen += buckets[next] ?? 0;
    }
    return durationOf(next);
  });
}

/** The same for one part of a sketch. */
export function quantile(sketch: Sketch, part: number): number | null {
  const buckets = noBuckets();
  for (const [bucket, count] of sketch) buckets[bucket] = count;
  return quantilesOf(buckets, [part])[0] ?? null;
}

/** As bytes: each bucket as its distance from the last one and its count, as variable-length numbers. */
export function encode(sketch: Sketch): Uint8Array {
  const bytes: number[] = [];
  let last = 0;
  for (const [bucket, count] of [...sketch].sort(([one], [other]) => one - other)) {
    write(bytes, bucket - last);
    write(bytes, count);
    last = bucket;
  }
  return Uint8Array.from(bytes);
}

/** Adds what `encode` wrote to a sketch. */
export function decodeInto(sketch: Sketch, bytes: Uint8Array): void {
  decodeEach(bytes, (bucket, count) => addTo(sketch, bucket, count));
}

/** The same for one that is only added to. `bytes` may have several sketches, with two zeros between each and the next. */
export function decodeTo(buckets: Buckets, bytes: Uint8Array): void {
  decodeEach(bytes, (bucket, count) => {
    buckets[bucket] = (buckets[bucket] ?? 0) + count;
  });
}

function decodeEach(bytes: Uint8Array, take: (bucket: number, count: number) => void): void {
  let bucket = 0;
  let isCount = false;
  let value = 0;
  let factor = 1;
  for (const byte of bytes) {
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    if (!isCount) bucket += value;
    else if (value > 0) take(bucket, value);
    // No bucket is empty: another sketch begins.
    else bucket = 0;
    isCount = !isCount;
    value = 0;
    factor = 1;
  }
}

/** A sketch from its bytes. */
export function decode(bytes: Uint8Array): Sketch {
  const sketch: Sketch = new Map();
  decodeInto(sketch, bytes);
  return sketch;
}

function write(bytes: number[], value: number): void {
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  bytes.push(left);
}

function addTo(sketch: Sketch, bucket: number, count: number): void {
  const sum = (sketch.get(bucket) ?? 0) + count;
  if (sum === 0) sketch.delete(bucket);
  else sketch.set(bucket, sum);
}
