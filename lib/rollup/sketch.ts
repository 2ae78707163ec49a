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
  return ms < 1 ? 0 : 1 + Math.ceil(Math.log(ms) / LOG_BASE);
}

/** The duration in ms that stands for a bucket. */
export function durationOf(bucket: number): number {
  return bucket === 0 ? 0 : (2 * BASE ** (bucket - 1)) / (BASE + 1);
}

/** Counts a duration in ms. */
export function note(sketch: Sketch, ms: number): void {
  addTo(sketch, bucketOf(ms), 1);
}

/** Adds the counts of another sketch, or subtracts them with the sign -1. */
export function merge(sketch: Sketch, other: Sketch, sign: 1 | -1 = 1): void {
  for (const [bucket, count] of other) addTo(sketch, bucket, sign * count);
}

/** How many durations there are. */
export function total(sketch: Sketch): number {
  let sum = 0;
  for (const count of sketch.values()) sum += count;
  return sum;
}

/** The duration in ms that `part` (0 to 1) of all are not above; null for an empty sketch. */
export function quantile(sketch: Sketch, part: number): number | null {
  return quantiles(sketch, [part])[0] ?? null;
}

/** The same for several parts, in ascending order. */
export function quantiles(sketch: Sketch, parts: readonly number[]): (number | null)[] {
  const sum = total(sketch);
  if (sum <= 0) return parts.map(() => null);
  const buckets = [...sketch].sort(([one], [other]) => one - other);
  let seen = 0;
  let next = 0;
  return parts.map((part) => {
    const rank = Math.floor(part * (sum - 1)) + 1;
    while (next < buckets.length && seen + (buckets[next]?.[1] ?? 0) < rank) {
      seen += buckets[next]?.[1] ?? 0;
      next += 1;
    }
    return durationOf(buckets[Math.min(next, buckets.length - 1)]?.[0] ?? 0);
  });
}

/** How many durations are above one in ms, up to the error of the sketch. */
export function above(sketch: Sketch, ms: number): number {
  const limit = bucketOf(ms);
  let sum = 0;
  for (const [bucket, count] of sketch) if (bucket > limit) sum += count;
  return sum;
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
  let bucket = 0;
  for (let at = 0; at < bytes.length; ) {
    let distance = 0;
    let count = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      distance += (byte & 127) * factor;
      if (byte < 128) break;
    }
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      count += (byte & 127) * factor;
      if (byte < 128) break;
    }
    bucket += distance;
    addTo(sketch, bucket, count);
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
