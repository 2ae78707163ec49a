/** Cells are kept by hour, and by day for long periods; both in UTC. */
export type Grain = "hour" | "day";

export const HOUR_MS = 3_600_000;
export const DAY_HOURS = 24;

/** Hours since 1970 that a cell can have, until the year 2209; events with other times are not counted. */
export const HOURS = 2 ** 21;
/** Series that cells can have. */
export const SERIES = 2 ** 24;

/** The hour of a time in epoch ms, in hours since 1970; null where no cell can have it. */
export function hourOf(ms: number): number | null {
  const hour = Math.floor(ms / HOUR_MS);
  return hour >= 0 && hour < HOURS ? hour : null;
}

/** The first hour of an hour's day. */
export function dayOf(hour: number): number {
  return hour - (hour % DAY_HOURS);
}

/**
 * The number of a cell, in the order of grain, hour, series: a period is one range. `isFull` keeps the many cells that tell by
 * everything apart from those that are sums.
 */
export function cellId(grain: Grain, isFull: boolean, hour: number, series: number): number {
  return (((grain === "hour" ? 0 : 1) + (isFull ? 0 : 2)) * HOURS + hour) * SERIES + series;
}
