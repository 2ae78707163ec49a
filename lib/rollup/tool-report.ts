import { addCounts, addStored, type Counts, type CutSeries, noCounts } from "./counts.ts";
import { isWorse } from "./findings.ts";
import { type CellRow, type Latency, latencyOf, type Period } from "./overview.ts";
import { cellOf, DAY_HOURS, type Grain, HOUR_MS } from "./place.ts";
import { durationOf, quantile, type Sketch, total } from "./sketch.ts";

/** The calls of a tool: how many, how many failed, how long they took, in a period. */
export interface CallFigures {
  count: number;
  failed: number;
  latency: Latency;
  approvals: number;
  /** Of answered approvals, half waited no longer, ms. */
  wait: number | null;
}

/** A tool with its calls in a period, and in the one before. */
export interface ToolFigures extends CallFigures {
  name: string;
  before: CallFigures;
  /** It fails more often than before, beyond chance. */
  worse: boolean;
  /** Calls by part of the period. */
  over_time: { count: number; failed: number }[];
}

/** Steps of a distribution: durations from `from` to `to`, in ms. */
interface Step {
  from: number;
  to: number;
  now: number;
  earlier: number;
}

export interface ToolReport extends Omit<ToolFigures, "over_time"> {
  grain: Grain;
  /** Epoch ms. */
  from: number;
  to: number;
  buckets: { at: number; count: number; failed: number; earlier: number }[];
  distribution: Step[];
  /** The versions of agents that call it, the most calls first. */
  callers: {
    agent: string;
    version: string;
    count: number;
    failed: number;
    before: { count: number; failed: number };
  }[];
}

/** Parts of the period that are shown of each tool in the list. */
const PARTS = 24;

interface Sides {
  now: Counts;
  earlier: Counts;
}

/** The calls of each tool, the most used first. */
export function toolsOf(
  period: Period,
  series: ReadonlyMap<number, CutSeries>,
  cells: Iterable<CellRow>,
): ToolFigures[] {
  const tools = new Map<string, Sides & { over_time: { count: number; failed: number }[] }>();
  each(period, series, cells, ({ tool }, side, hour, counts) => {
    const known = tools.get(tool) ?? {
      ...noSides(),
      over_time: Array.from({ length: PARTS }, () => ({ count: 0, failed: 0 })),
    };
    tools.set(tool, known);
    addCounts(known[side], counts);
    if (side === "earlier") return;
    const part = known.over_time[Math.floor(((hour - period.from) * PARTS) / (period.to - period.from))];
    if (!part) return;
    part.count += counts.count;
    part.failed += counts.failed;
  });
  return [...tools]
    .map(([name, { over_time, ...sides }]) => ({ name, ...figuresOf(sides), over_time }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

/** One tool. */
export function toolReportOf(
  name: string,
  period: Period,
  series: ReadonlyMap<number, CutSeries>,
  cells: Iterable<CellRow>,
): ToolReport {
  const width = period.grain === "hour" ? 1 : DAY_HOURS;
  const buckets = Array.from({ length: (period.to - period.from) / width }, (_, index) => ({
    ...{ at: (period.from + index * width) * HOUR_MS, count: 0, failed: 0, earlier: 0 },
  }));
  const whole = noSides();
  const callers = new Map<string, Sides & { agent: string; version: string }>();
  each(period, series, cells, ({ agent, version }, side, hour, counts) => {
    addCounts(whole[side], counts);
    const key = JSON.stringify([agent, version]);
    const caller = callers.get(key) ?? { ...noSides(), agent, version };
    callers.set(key, caller);
    addCounts(caller[side], counts);
    const bucket = buckets[Math.floor((hour - (side === "now" ? period.from : period.before)) / width)];
    if (!bucket) return;
    if (side === "earlier") bucket.earlier += counts.count;
    else {
      bucket.count += counts.count;
      bucket.failed += counts.failed;
    }
  });
  return {
    ...{ name, grain: period.grain, from: period.from * HOUR_MS, to: period.to * HOUR_MS },
    ...figuresOf(whole),
    buckets,
    distribution: distributionOf(whole.now.durations, whole.earlier.durations),
    callers: [...callers.values()]
      .map(({ agent, version, now, earlier }) => ({
        ...{ agent, version, count: now.count, failed: now.failed },
        before: { count: earlier.count, failed: earlier.failed },
      }))
      .filter(({ count, before }) => count + before.count > 0)
      .sort((one, other) => other.count - one.count),
  };
}

function each(
  period: Period,
  series: ReadonlyMap<number, CutSeries>,
  cells: Iterable<CellRow>,
  take: (series: CutSeries, side: "now" | "earlier", hour: number, counts: Counts) => void,
): void {
  for (const row of cells) {
    const { hour, series: id } = cellOf(row.id);
    const of = series.get(id);
    if (!of) continue;
    const counts = noCounts();
    addStored(counts, row);
    take(of, hour >= period.from ? "now" : "earlier", hour, counts);
  }
}

function noSides(): Sides {
  return { now: noCounts(), earlier: noCounts() };
}

function figuresOf({ now, earlier }: Sides) {
  return { ...callsOf(now), before: callsOf(earlier), worse: isWorse(now, earlier, "failed") };
}

function callsOf(counts: Counts): CallFigures {
  const { count, failed, waits } = counts;
  return { count, failed, latency: latencyOf(counts), approvals: total(waits), wait: quantile(waits, 0.5) };
}

/** So many buckets of a sketch are one step: durations in it differ by half. */
const STEP = 20;

function distributionOf(now: Sketch, earlier: Sketch): Step[] {
  const sum = (sketch: Sketch) => {
    const steps = new Map<number, number>();
    for (const [bucket, count] of sketch) {
      const step = Math.floor(bucket / STEP);
      steps.set(step, (steps.get(step) ?? 0) + count);
    }
    return steps;
  };
  const [counts, before] = [sum(now), sum(earlier)];
  const numbers = [...counts.keys(), ...before.keys()];
  if (numbers.length === 0) return [];
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    from: durationOf((first + index) * STEP),
    to: durationOf((first + index + 1) * STEP),
    now: counts.get(first + index) ?? 0,
    earlier: before.get(first + index) ?? 0,
  }));
}
