/** Prints rows in aligned columns; all but the first are right-aligned. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  console.log(`\n${title}\n`);
  for (const row of [head, widths.map((width) => "─".repeat(width)), ...rows]) console.log(`  ${line(row)}`);
}

/** `12,345` */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** `0.87 ×` */
export function ratio(value: number): string {
  return `${value.toFixed(2)} ×`;
}

/** `1.52 ms` */
export function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`;
}

/** A quantile of ascending values. Throws if there are none. */
export function quantile(ascending: readonly number[], share: number): number {
  const value = ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))];
  if (value === undefined) throw new Error("There is no quantile of no values");
  return value;
}

/** The median. Throws if there are no values. */
export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
