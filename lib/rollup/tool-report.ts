import type { ToldSeries } from "./counts.ts";
import { isWorse } from "./findings.ts";
import type { CellRow, Told } from "./overview.ts";
import { DAY_HOURS, type Grain, HOUR_MS } from "./place.ts";
import { type Buckets, durationOf } from "./sketch.ts";
import { type Latency, Sum } from "./sums.ts";

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
  /** How many more callers there are. */
  callers_left_out: number;
}

/** Parts of the period that are shown of each tool in the list. */
const PARTS = 24;

interface Sides {
  now: Sum;
  earlier: Sum;
}

type ToldTools = Omit<Told, "versions">;

/** The tools of a period, the most used first. */
export interface CountedTools {
  tools: ToolFigures[];
  /** How many more there are. */
  left_out: number;
}

/** A thousand bytes each: names that a program makes up must not make an answer of megabytes. */
const MOST_TOOLS = 500;

/** For the same reason: 100 bytes each, and a row on the page of the tool. */
const MOST_CALLERS = 200;

/** The calls of each tool, up to `MOST_TOOLS` of them. */
export function toolsOf(
  told: ToldTools,
  series: ReadonlyMap<number, ToldSeries>,
  cells: Iterable<CellRow>,
): CountedTools {
  const { period } = told;
  const tools = new Map<string, Sides & { over_time: { count: number; failed: number }[] }>();
  each(told, series, cells, ({ tool }, side, row, tells) => {
    const known = tools.get(tool) ?? {
      ...noSides(),
      over_time: Array.from({ length: PARTS }, () => ({ count: 0, failed: 0 })),
    };
    tools.set(tool, known);
    if (tells.what) known[side].add(row);
    if (side === "earlier" || !tells.when) return;
    const part = known.over_time[Math.floor(((row.hour - period.from) * PARTS) / (period.to - period.from))];
    if (!part) return;
    part.count += row.count;
    part.failed += row.failed;
  });
  const sorted = [...tools].sort(
    ([name, { now }], [other, { now: others }]) => others.count - now.count || (name < other ? -1 : 1),
  );
  return {
    tools: sorted
      .slice(0, MOST_TOOLS)
      .map(([name, { over_time, ...sides }]) => ({ name, ...figuresOf(sides), over_time })),
    left_out: Math.max(0, sorted.length - MOST_TOOLS),
  };
}

/** One tool. */
export function toolReportOf(
  name: string,
  told: ToldTools,
  series: ReadonlyMap<number, ToldSeries>,
  cells: Iterable<CellRow>,
): ToolReport {
  const { period } = told;
  const width = period.grain === "hour" ? 1 : DAY_HOURS;
  const buckets = Array.from({ length: (period.to - period.from) / width }, (_, index) => ({
    ...{ at: (period.from + index * width) * HOUR_MS, count: 0, failed: 0, earlier: 0 },
  }));
  const whole = noSides();
  const callers = new Map<string, Sides & { agent: string; version: string }>();
  each(told, series, cells, ({ agent, version }, side, row, tells) => {
    if (tells.what) {
      whole[side].add(row);
      const key = JSON.stringify([agent, version]);
      const caller = callers.get(key) ?? { ...noSides(), agent, version };
      callers.set(key, caller);
      caller[side].add(row, false);
    }
    if (!tells.when) return;
    const bucket = buckets[Math.floor((row.hour - (side === "now" ? period.from : period.before)) / width)];
    if (!bucket) return;
    if (side === "earlier") bucket.earlier += row.count;
    else {
      bucket.count += row.count;
      bucket.failed += row.failed;
    }
  });
  const sorted = [...callers.values()]
    .map(({ agent, version, now, earlier }) => ({
      ...{ agent, version, count: now.count, failed: now.failed },
      before: { count: earlier.count, failed: earlier.failed },
    }))
    .filter(({ count, before }) => count + before.count > 0)
    .sort(
      (one, other) =>
        other.count - one.count || (`${one.agent} ${one.version}` < `${other.agent} ${other.version}` ? -1 : 1),
    );
  return {
    ...{ name, grain: period.grain, from: period.from * HOUR_MS, to: period.to * HOUR_MS },
    ...figuresOf(whole),
    buckets,
    distribution: distributionOf(whole.now.durations, whole.earlier.durations),
    callers: sorted.slice(0, MOST_CALLERS),
    callers_left_out: Math.max(0, sorted.length - MOST_CALLERS),
  };
}

function each(
  { period, whole }: ToldTools,
  series: ReadonlyMap<number, ToldSeries>,
  cells: Iterable<CellRow>,
  take: (series: ToldSeries, side: "now" | "earlier", row: CellRow, tells: { what: boolean; when: boolean }) => void,
): void {
  for (const row of cells) {
    const of = series.get(row.series);
    if (!of) continue;
    const tells = { what: of.cut !== "slice", when: of.cut === whole };
    take(of, row.hour >= period.from ? "now" : "earlier", row, tells);
  }
}

function noSides(): Sides {
  return { now: new Sum(), earlier: new Sum() };
}

function figuresOf({ now, earlier }: Sides) {
  return { ...callsOf(now), before: callsOf(earlier), worse: isWorse(now, earlier, "failed") };
}

function callsOf(sum: Sum): CallFigures {
  const { count, failed, approvals, wait } = sum;
  return { count, failed, latency: sum.latency(), approvals, wait };
}

/** So many buckets of a sketch are one step: durations in it differ by half. */
const STEP = 20;

function distributionOf(now: Buckets | null, earlier: Buckets | null): Step[] {
  const sum = (buckets: Buckets | null) => {
    const steps = new Map<number, number>();
    for (const [bucket, count] of buckets?.entries() ?? []) {
      if (count === 0) continue;
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
