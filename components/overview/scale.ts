/** The top of the scale: few outliers do not flatten all others. Hours with nothing say nothing about it. */
export function scaleOf(values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).sort((one, other) => one - other);
  const most = sorted.at(-1) ?? 0;
  const usual = sorted[Math.floor(sorted.length * 0.98)] ?? most;
  return Math.min(most, usual * 1.5) || 1;
}
