export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The date, as `2026-11-26`, of the next weekday after a time (epoch ms); 0 is Sunday. */
export function nextWeekday(after: number, weekday: number): string {
  const ahead = (weekday - new Date(after).getUTCDay() + 6) % 7;
  return dayOf(after + (ahead + 1) * DAY);
}

/** The date of a time (epoch ms), as `2026-11-26`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
