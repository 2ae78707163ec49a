import { changeOf, wilson } from "../suites/verdict.ts";
import { type Buckets, noBuckets, quantilesOf, rankOf } from "./sketch.ts";

/** A figure with its 95 % interval. */
export interface Estimate {
  value: number;
  from: number;
  to: number;
}

/** The change of a figure with its 95 % interval. `sure`: chance explains it in less than 1 of 150 cases. */
export interface Change extends Estimate {
  sure: boolean;
}

/** The 97.5th percentile of the normal distribution. */
const Z = 1.959964;

/**
 * By how much wider than a 95 % interval one has to be left of, or right of, zero: some eight figures are compared at a time, and
 * 5 % is divided by them (Bonferroni), which is 2.73 deviations in place of 1.96.
 */
const SURE = 2.734 / Z;

/** A share of independent cases, with Wilson's interval. Null for no cases. */
export function estimateShare(hits: number, of: number): Estimate | null {
  if (of === 0) return null;
  const { share, from, to } = wilson(hits, of);
  return { value: share, from, to };
}

/**
 * A mean per unit, where units come in clusters: what turns cost, by conversation. Clusters are independent, their units are not,
 * so the variance is that of a ratio estimator (linearized), with Student's t for few clusters. Null for fewer than two clusters.
 */
export function estimateMean(clusters: readonly { sum: number; units: number }[]): Estimate | null {
  const counted = clusters.filter(({ units }) => units > 0);
  const count = counted.length;
  if (count < 2) return null;
  const units = counted.reduce((all, one) => all + one.units, 0);
  const value = counted.reduce((all, one) => all + one.sum, 0) / units;
  const squares = counted.reduce((all, one) => all + (one.sum - value * one.units) ** 2, 0);
  const half = (student(count - 1) * Math.sqrt((count / (count - 1)) * squares)) / units;
  return { value, from: value - half, to: value + half };
}

/**
 * A quantile of durations in ms that come in clusters, with Woodruff's interval: that of the share of durations up to the quantile,
 * as a mean by cluster, read as quantiles again. Null for fewer than two clusters.
 */
export function estimateQuantile(part: number, clusters: readonly ReadonlyMap<number, number>[]): Estimate | null {
  const all = noBuckets();
  for (const cluster of clusters) for (const [bucket, count] of cluster) all[bucket] = (all[bucket] ?? 0) + count;
  const middle = bucketAt(all, part);
  const upTo = estimateMean(
    clusters.map((cluster) => {
      let [sum, units] = [0, 0];
      for (const [bucket, count] of cluster) {
        units += count;
        if (bucket <= middle) sum += count;
      }
      return { sum, units };
    }),
  );
  if (!upTo) return null;
  const half = upTo.to - upTo.value;
  const parts = [Math.max(0, part - half), part, Math.min(1, part + half)];
  const [from, value, to] = quantilesOf(all, parts);
  return value == null ? null : { value, from: from ?? value, to: to ?? value };
}

/**
 * The change from one estimate to an independent one, with the interval that follows from theirs: Newcombe's hybrid score for
 * shares, and its extension to all that has intervals (MOVER).
 */
export function estimateChange(before: Estimate, after: Estimate): Change {
  const { share, from, to } = changeOf(shareOf(before), shareOf(after));
  const sure = share > 0 ? share > (share - from) * SURE : -share > (to - share) * SURE;
  return { value: share, from, to, sure };
}

function shareOf({ value, from, to }: Estimate) {
  return { share: value, from, to };
}

function bucketAt(buckets: Buckets, part: number): number {
  const sum = buckets.reduce((all, count) => all + count, 0);
  const rank = rankOf(part, sum);
  let seen = 0;
  return buckets.findIndex((count) => {
    seen += count;
    return seen >= rank;
  });
}

/** The 97.5th percentile of Student's t with so many degrees of freedom, by the series of Cornish and Fisher: within 2 % from 3 on. */
function student(freedom: number): number {
  if (freedom < 3) return freedom === 1 ? 12.706 : 4.303;
  const first = (Z ** 3 + Z) / 4;
  const second = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
  return Z + first / freedom + second / freedom ** 2;
}
