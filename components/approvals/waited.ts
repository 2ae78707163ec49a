import type { ListedConfirmation } from "@/lib/api/shapes.ts";

/** A waiting time in at most two units. */
export type Waited =
  | { unit: "now" }
  | { unit: "minutes"; minutes: number }
  | { unit: "hours"; hours: number; minutes: number }
  | { unit: "days"; days: number; hours: number };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When an approval is overdue (C7, M10), ms. */
export const OVERDUE_AFTER = DAY;

/** Splits milliseconds into units; less than a minute, or a negative value, is "now". */
export function waitedOf(ms: number): Waited {
  if (ms < MINUTE) return { unit: "now" };
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  if (ms < HOUR) return { unit: "minutes", minutes };
  const hours = Math.floor((ms % DAY) / HOUR);
  if (ms < DAY) return { unit: "hours", hours, minutes };
  return { unit: "days", days: Math.floor(ms / DAY), hours };
}

/** How long a confirmation has waited at `now` (epoch ms), in ms; never negative. */
export function waitOf({ requested_at }: Pick<ListedConfirmation, "requested_at">, now: number): number {
  return Math.max(0, now - Date.parse(requested_at));
}

/** Whether it has waited for too long. */
export function isOverdue(item: Pick<ListedConfirmation, "status" | "requested_at">, now: number): boolean {
  return item.status === "requested" && waitOf(item, now) > OVERDUE_AFTER;
}
