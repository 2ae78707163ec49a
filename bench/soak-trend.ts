/** A linear trend. */
export interface Trend {
  /** The increase per minute. */
  slope: number;
  /** The mean of the values. */
  mean: number;
  /** The increase from the first value to the last, relative to the mean. */
  growth: number;
}

/** The least squares line of values at these minutes. */
export function trendOf(minutes: readonly number[], values: readonly number[]): Trend {
  const n = values.length;
  const meanX = sum(minutes) / n;
  const mean = sum(values) / n;
  const across = sum(minutes.map((x) => (x - meanX) ** 2));
  const along = sum(minutes.map((x, at) => (x - meanX) * ((values[at] ?? mean) - mean)));
  const slope = across === 0 ? 0 : along / across;
  const span = (minutes.at(-1) ?? 0) - (minutes[0] ?? 0);
  return { slope, mean, growth: mean === 0 ? 0 : (slope * span) / mean };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
