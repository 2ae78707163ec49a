import { HOUR_MS } from "../rollup/place.ts";
import type { HourRow } from "./evaluate.ts";

/** Something that waited, in epoch ms; `to` is null while it does. */
export interface Span {
  from: number;
  to: number | null;
}

const MINUTE_MS = 60_000;

/** For how long at most anything had waited by the end of each hour, or by `now`, in minutes; `count` tells how many waited. */
export function waitingHours(spans: readonly Span[], from: number, to: number, now: number): HourRow[] {
  const rows = new Map<number, HourRow>();
  for (const span of spans) {
    const end = Math.min(span.to ?? now, now);
    const last = Math.min(to, Math.floor(Math.max(span.from, span.to === null ? end : end - 1) / HOUR_MS));
    for (let hour = Math.max(from, Math.floor(span.from / HOUR_MS)); hour <= last; hour += 1) {
      const row = rows.get(hour) ?? { hour, sum: 0, count: 0 };
      rows.set(hour, row);
      row.sum = Math.max(row.sum, (Math.min(end, (hour + 1) * HOUR_MS) - span.from) / MINUTE_MS);
      row.count += 1;
    }
  }
  return [...rows.values()];
}

const DAY_MS = 24 * HOUR_MS;

/** For how long errors had been gone that came back in an hour, in days; `count` tells how many. `seen` is newest first. */
export function returnedHours(seen: readonly { kind: string; at: number }[], from: number): HourRow[] {
  const rows = new Map<number, HourRow>();
  const last = new Map<string, number>();
  for (const { kind, at } of seen.toSorted((one, other) => one.at - other.at)) {
    const before = last.get(kind);
    last.set(kind, at);
    const hour = Math.floor(at / HOUR_MS);
    if (before === undefined || hour < from) continue;
    const row = rows.get(hour) ?? { hour, sum: 0, count: 0 };
    rows.set(hour, row);
    row.sum = Math.max(row.sum, (at - before) / DAY_MS);
    row.count += 1;
  }
  return [...rows.values()];
}
