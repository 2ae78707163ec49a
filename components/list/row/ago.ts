/** A relative time for a narrow column. */
export type Ago =
  | { unit: "now" }
  | { unit: "seconds" | "minutes" | "hours" | "days"; count: number }
  | { unit: "hours_minutes"; hours: number; minutes: number }
  | { unit: "date" };

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From `at` to `now`, both epoch ms. Precise when recent, a date after a week; the future is "now". */
export function agoOf(at: number, now: number): Ago {
  const seconds = Math.floor((now - at) / 1_000);
  if (seconds < 3) return { unit: "now" };
  if (seconds < MINUTE) return { unit: "seconds", count: seconds };
  if (seconds < HOUR) return { unit: "minutes", count: Math.floor(seconds / MINUTE) };
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (hours < 2 && minutes > 0) return { unit: "hours_minutes", hours, minutes };
  if (seconds < DAY) return { unit: "hours", count: hours };
  if (seconds < 7 * DAY) return { unit: "days", count: Math.floor(seconds / DAY) };
  return { unit: "date" };
}
