import { HOUR_MS } from "../rollup/place.ts";
import { type Condition, isBeyond, METRIC_TRAITS, type RuleState } from "./rule.ts";

/** What was measured in an hour. `sum` is of failures, amounts or values; of what is as of now, the highest. */
export interface HourRow {
  /** Since 1970. */
  hour: number;
  sum: number;
  /** Turns, calls or scores; of what is as of now, how many. */
  count: number;
}

/** A value of a rule at a time; null where there is too little to tell. */
export interface Evaluation {
  value: number | null;
  count: number;
  /** The first hour of the window. */
  from: number;
}

/** The value of a rule in an hour. Until the running window has enough, that of the hour before still counts. */
export function evaluate(condition: Condition, hours: ReadonlyMap<number, HourRow>, hour: number): Evaluation {
  const running = windowUntil(condition, hours, hour);
  if (running.value !== null || !METRIC_TRAITS[condition.metric].hasWindow) return running;
  const last = windowUntil(condition, hours, hour - 1);
  return last.value === null ? running : last;
}

/** How many hours before the newest one an evaluation reads. */
export function hoursBefore({ metric, window_hours }: Condition): number {
  return METRIC_TRAITS[metric].hasWindow ? window_hours : 0;
}

function windowUntil(condition: Condition, hours: ReadonlyMap<number, HourRow>, hour: number): Evaluation {
  const { metric, min_count } = condition;
  const from = hour - Math.max(0, hoursBefore(condition) - 1);
  let sum = 0;
  let count = 0;
  let highest = 0;
  for (let each = from; each <= hour; each += 1) {
    const row = hours.get(each);
    sum += row?.sum ?? 0;
    count += row?.count ?? 0;
    highest = Math.max(highest, row?.sum ?? 0);
  }
  switch (metric) {
    case "error_rate":
    case "score":
      return { value: count > 0 && count >= min_count ? sum / count : null, count, from };
    case "cost":
      return { value: sum, count, from };
    case "stuck_run":
    case "approval_wait":
    case "error_returned":
      return { value: highest, count, from };
    default:
      return metric satisfies never;
  }
}

/** The state of a rule with such a value. */
export function stateOf(condition: Condition, { value }: Pick<Evaluation, "value">): RuleState {
  if (value === null) return "no_data";
  return isBeyond(condition, value) ? "firing" : "ok";
}

/** When a rule would have fired. Times in epoch ms. */
export interface PastFiring {
  at: number;
  /** Null: it still would. */
  until: number | null;
  /** The worst value. */
  peak: number;
  /** Whether it would have been told: nothing is in the quiet time after a notification. */
  isTold: boolean;
}

/** What a rule would have done, by the hour. */
export interface Backtest {
  points: { at: number; value: number | null }[];
  firings: PastFiring[];
  /** How many notifications there would have been. */
  told: number;
}

/** Tries a rule on the hours from `from` up to `to`, which is the last. */
export function backtest(condition: Condition, rows: readonly HourRow[], from: number, to: number): Backtest {
  const hours = new Map(rows.map((row) => [row.hour, row]));
  const points: Backtest["points"] = [];
  const firings: PastFiring[] = [];
  let open: PastFiring | null = null;
  let quietUntil = Number.NEGATIVE_INFINITY;
  /** Hours in a row beyond the threshold before it fires. */
  const early = Math.floor((condition.for_minutes ?? 0) / 60);
  let beyond = 0;
  for (let hour = from; hour <= to; hour += 1) {
    const at = hour * HOUR_MS;
    const { value } = evaluate(condition, hours, hour);
    points.push({ at, value });
    if (value === null || !isBeyond(condition, value)) {
      if (open) open.until = at;
      open = null;
      beyond = 0;
      continue;
    }
    beyond += 1;
    if (beyond <= early) continue;
    if (!open) {
      open = { at, until: null, peak: value, isTold: false };
      firings.push(open);
    }
    open.peak = condition.operator === "above" ? Math.max(open.peak, value) : Math.min(open.peak, value);
    if (open.isTold || at < quietUntil) continue;
    open.isTold = true;
    quietUntil = at + condition.quiet_minutes * 60_000;
  }
  return { points, firings, told: firings.filter(({ isTold }) => isTold).length };
}
