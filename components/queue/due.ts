/** How a due time is told. */
export type Due =
  | { kind: "overdue" | "soon" | "later"; hours: number; minutes: number }
  | { kind: "date" | "overdue_date" };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Farther times are told as dates. */
const NEAR = 20 * HOUR;

/** What is left until a time, or how long ago it was; both in epoch ms. */
export function dueOf(due: number, now: number): Due {
  const left = Math.abs(due - now);
  const isOver = due < now;
  if (left >= NEAR) return { kind: isOver ? "overdue_date" : "date" };
  const minutes = Math.max(1, Math.floor(left / MINUTE));
  const kind = isOver ? "overdue" : left < HOUR ? "soon" : "later";
  return { kind, hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

/** The due times that are offered, in the reader's zone. */
export function dueTimes(now: number): { key: "hour" | "hours" | "morning"; at: string }[] {
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(9, 0, 0, 0);
  return [
    { key: "hour", at: new Date(now + HOUR).toISOString() },
    { key: "hours", at: new Date(now + 4 * HOUR).toISOString() },
    { key: "morning", at: morning.toISOString() },
  ];
}
