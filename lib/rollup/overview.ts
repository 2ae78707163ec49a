import { type Cost, costOf, type Prices } from "../session/prices.ts";
import type { Usage } from "../session/session.ts";
import type { StoredCounts, ToldSeries } from "./counts.ts";
import { type Finding, findingsOf } from "./findings.ts";
import { DAY_HOURS, dayOf, type Grain, HOUR_MS, hourOf } from "./place.ts";
import { type ScoreLane, ScoreLanes } from "./score-lanes.ts";
import { type Latency, Sum } from "./sums.ts";

/** By what an overview can be narrowed. */
export const DIMENSIONS = ["agent", "version", "model", "channel", "stage"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface OverviewQuery extends Partial<Record<Dimension, string>> {
  /** Epoch ms; both are extended to whole hours, or to whole days (UTC) in a long period. */
  from: number;
  to: number;
}

/** The hours of an overview: the period, and one of the same length before it. */
export interface Period {
  grain: Grain;
  before: number;
  from: number;
  to: number;
}

/**
 * In longer periods cells are those of days. What has no hours of its own is summed up from parts: 170,000 for two weeks of a model
 * in a channel among a million conversations, which take Postgres 0.3 s.
 */
const LONGEST_BY_HOUR_MS = { cells: 14 * DAY_HOURS * HOUR_MS, parts: 7 * DAY_HOURS * HOUR_MS };
/** The longest period, by day. */
export const LONGEST_PERIOD_MS = 400 * DAY_HOURS * HOUR_MS;

/** The whole hours or days of a period, for what has its hours in cells, or in parts only. */
export function periodOf(
  { from, to }: Pick<OverviewQuery, "from" | "to">,
  hours: keyof typeof LONGEST_BY_HOUR_MS = "cells",
): Period {
  const grain: Grain = to - from > LONGEST_BY_HOUR_MS[hours] ? "day" : "hour";
  const first = hourOf(from) ?? 0;
  const last = hourOf(Math.max(to, from + 1) - 1) ?? 0;
  const begin = grain === "hour" ? first : dayOf(first);
  const end = grain === "hour" ? last + 1 : dayOf(last) + DAY_HOURS;
  return { grain, before: begin - (end - begin), from: begin, to: end };
}

/** What is told of a time. */
export interface Figures {
  /** Conversations that began. */
  conversations: number;
  turns: number;
  failed_turns: number;
  escalated: number;
  calls: number;
  failed_calls: number;
  latency: Latency;
  /** Answered approvals, and how long half of them waited at most, ms. */
  approvals: number;
  wait: number | null;
  input_tokens: number;
  output_tokens: number;
  /** What is known of the cost, by currency. */
  cost: Cost[];
  /** Requests to models whose cost is not known. */
  unpriced: number;
}

/** A value of a dimension: how often, and how often it failed, in the period and before it. */
export interface Share {
  name: string;
  /** Of a version: its agent. */
  agent: string | null;
  count: number;
  failed: number;
  escalated: number;
  p95: number | null;
  before: { count: number; failed: number; escalated: number; p95: number | null };
}

/** The first hour of a version that was not there before. */
export interface Release {
  agent: string;
  version: string;
  /** Epoch ms. */
  at: number;
}

export interface Overview {
  grain: Grain;
  /** Epoch ms. */
  before: number;
  from: number;
  to: number;
  now: Figures;
  earlier: Figures;
  /** By hour or day; `earlier` is as much before as the period is long. */
  buckets: { at: number; now: Figures; earlier: Figures }[];
  /** The most used values of each dimension. */
  where: Record<Dimension | "tool", Share[]>;
  releases: Release[];
  /** What got worse or better, the most important first. */
  findings: Finding[];
  scores: ScoreLane[];
}

/** What is counted of a series in an hour, or on a day that begins with it. */
export interface CellRow extends StoredCounts {
  hour: number;
  series: number;
}

/** Values of a dimension that are told at most. */
const MOST_SHARES = 50;

/** What the cells of an overview are: those of several cuts count the same. */
export interface Told {
  period: Period;
  /** The cut that tells what happened when, in all. */
  whole: ToldSeries["cut"];
  /**
   * The cut that tells agents, versions and tools. Cells of `full` tell models, channels and stages too, others only what they are
   * named by.
   */
  versions: "version" | "full";
}

/** What cells add up to; `series` are theirs, by id. */
export function overviewOf(
  { period, whole: cutOfWhole, versions }: Told,
  series: ReadonlyMap<number, ToldSeries>,
  cells: Iterable<CellRow>,
  prices: Prices,
): Overview {
  const width = period.grain === "hour" ? 1 : DAY_HOURS;
  const length = (period.to - period.from) / width;
  const buckets = Array.from({ length }, () => ({ now: new Sums(), earlier: new Sums() }));
  const whole = { now: new Sums(), earlier: new Sums() };
  const shares = new Shares(versions);
  const scores = new ScoreLanes(length);
  for (const row of cells) {
    const { hour } = row;
    const of = series.get(row.series);
    if (!of) continue;
    const side = hour >= period.from ? "now" : "earlier";
    const index = Math.floor((hour - (side === "now" ? period.from : period.before)) / width);
    if (of.cut === "version" && versions !== "version") {
      shares.noteFirst(of, row);
      continue;
    }
    if (of.cut === "slice" && of.kind === "turn" && side === "now") shares.noteFirst(of, row);
    if (of.cut === versions) scores.addShares(of, side, row);
    if (of.cut === versions || of.cut !== cutOfWhole) shares.add(of, side, row);
    if (of.cut !== cutOfWhole) continue;
    scores.addWhole(of, side, index, row);
    whole[side].add(of, row);
    buckets[index]?.[side].add(of, row);
  }
  const at = (hour: number) => hour * HOUR_MS;
  const releases = shares.releases();
  return {
    grain: period.grain,
    before: at(period.before),
    from: at(period.from),
    to: at(period.to),
    now: whole.now.figures(prices),
    earlier: whole.earlier.figures(prices),
    buckets: buckets.map(({ now, earlier }, index) => ({
      at: at(period.from + index * width),
      now: now.figures(prices),
      earlier: earlier.figures(prices),
    })),
    where: shares.where(),
    releases,
    findings: findingsOf({ ...shares.forFindings(), releases, whole: [whole.now.turns, whole.earlier.turns] }),
    scores: scores.all(),
  };
}

class Sums {
  readonly turns = new Sum();
  #calls = 0;
  #failedCalls = 0;
  readonly #usage = new Map<string, Usage>();

  add({ kind, model }: ToldSeries, counts: StoredCounts): void {
    switch (kind) {
      case "turn":
        this.turns.add(counts);
        return;
      case "call":
        this.#calls += counts.count;
        this.#failedCalls += counts.failed;
        return;
      case "model": {
        const used = this.#usage.get(model) ?? {
          model,
          ...{ responses: 0, unreported: 0, input_tokens: 0, output_tokens: 0 },
        };
        used.responses += counts.count;
        used.unreported += counts.unreported;
        used.input_tokens += counts.input_tokens;
        used.output_tokens += counts.output_tokens;
        this.#usage.set(model, used);
        return;
      }
      case "score":
        return;
      default:
        kind satisfies never;
    }
  }

  figures(prices: Prices): Figures {
    const { turns } = this;
    const usage = [...this.#usage.values()];
    const priced = usage.map((used) => ({ used, cost: costOf([{ ...used, unreported: 0 }], prices) }));
    const cost = new Map<string, number>();
    for (const { currency, amount } of priced.flatMap((one) => one.cost ?? []))
      cost.set(currency, (cost.get(currency) ?? 0) + amount);
    const sum = (part: "input_tokens" | "output_tokens") => usage.reduce((all, used) => all + used[part], 0);
    return {
      conversations: turns.began,
      turns: turns.count,
      failed_turns: turns.failed,
      escalated: turns.escalated,
      calls: this.#calls,
      failed_calls: this.#failedCalls,
      latency: turns.latency(),
      approvals: turns.approvals,
      wait: turns.wait,
      input_tokens: sum("input_tokens"),
      output_tokens: sum("output_tokens"),
      cost: [...cost].map(([currency, amount]) => ({ currency, amount })),
      unpriced: priced.reduce((all, one) => all + (one.cost ? one.used.unreported : one.used.responses), 0),
    };
  }
}

export type Side = "now" | "earlier";

/** What a value of a dimension adds up to. */
export interface Sided {
  now: Sum;
  earlier: Sum;
  /** The first hour in which there was anything; of the period only. */
  first: number;
}

/** A tool as a version of an agent calls it. */
export interface VersionedTool extends Sided {
  agent: string;
  version: string;
  tool: string;
}

class Shares {
  readonly #by = new Map<Dimension | "tool", Map<string, Sided & { agent: string | null; name: string }>>();
  readonly #tools = new Map<string, VersionedTool>();
  readonly #versions: Told["versions"];
  readonly #firsts = new Map<string, number>();

  constructor(versions: Told["versions"]) {
    this.#versions = versions;
  }

  /** Notes when a version was first used, where its shares are told by day. */
  noteFirst({ agent, version }: ToldSeries, { hour, count }: CellRow): void {
    const key = JSON.stringify([agent, version]);
    if (count > 0) this.#firsts.set(key, Math.min(hour, this.#firsts.get(key) ?? hour));
  }

  add(of: ToldSeries, side: Side, row: CellRow): void {
    const isWhole = of.cut === "full";
    const add = (dimension: Dimension | "tool", name: string, agent: string | null = null) => {
      if (name === "") return;
      const values = this.#by.get(dimension) ?? new Map<string, Sided & { agent: string | null; name: string }>();
      this.#by.set(dimension, values);
      const key = JSON.stringify([agent, name]);
      const value = values.get(key) ?? { ...noSides(), agent, name };
      values.set(key, value);
      addSided(value, side, row);
    };
    if (of.kind === "model" || of.kind === "score") return;
    if (of.kind === "call") {
      add("tool", of.tool);
      const key = JSON.stringify([of.agent, of.version, of.tool]);
      const tool = this.#tools.get(key) ?? { ...noSides(), agent: of.agent, version: of.version, tool: of.tool };
      this.#tools.set(key, tool);
      addSided(tool, side, row, false);
      return;
    }
    if (of.cut === this.#versions) {
      add("agent", of.agent);
      // Versions are an agent's: of those of nobody, no list and no comparison could be narrowed to one.
      if (of.agent !== "") add("version", of.version, of.agent);
    }
    if (isWhole || of.cut === "model") add("model", of.model);
    if (isWhole || of.cut === "channel") add("channel", of.channel);
    if (isWhole || of.cut === "stage") add("stage", of.stage);
  }

  where(): Record<Dimension | "tool", Share[]> {
    const of = (dimension: Dimension | "tool") =>
      [...(this.#by.get(dimension)?.values() ?? [])]
        .filter(({ now, earlier }) => now.count + earlier.count > 0)
        .sort((one, other) => other.now.count - one.now.count)
        .slice(0, MOST_SHARES)
        .map(({ name, agent, now, earlier }) => ({
          ...{ name, agent },
          ...shareOf(now),
          before: shareOf(earlier),
        }));
    return {
      ...{ tool: of("tool"), agent: of("agent"), version: of("version") },
      ...{ model: of("model"), channel: of("channel"), stage: of("stage") },
    };
  }

  /** A version is new if its agent was there before, and it was not. */
  releases(): Release[] {
    const agents = this.#by.get("agent");
    return [...(this.#by.get("version")?.values() ?? [])]
      .filter(
        ({ now, earlier, agent }) =>
          now.count > 0 && earlier.count === 0 && (agents?.get(JSON.stringify([null, agent]))?.earlier.count ?? 0) > 0,
      )
      .map(({ agent, name, first }) => ({
        ...{ agent: agent ?? "", version: name },
        at: Math.max(first, this.#firsts.get(JSON.stringify([agent, name])) ?? first) * HOUR_MS,
      }))
      .sort((one, other) => one.at - other.at);
  }

  forFindings() {
    return {
      tools: [...this.#tools.values()],
      versions: [...(this.#by.get("version")?.values() ?? [])].map(({ name, agent, ...sided }) => ({
        ...sided,
        version: name,
        agent: agent ?? "",
      })),
      agents: [...(this.#by.get("agent")?.values() ?? [])].map(({ name, now, earlier, first }) => ({
        ...{ agent: name, now, earlier, first },
      })),
    };
  }
}

function noSides(): Sided {
  return { now: new Sum(), earlier: new Sum(), first: Number.POSITIVE_INFINITY };
}

function addSided(sided: Sided, side: Side, row: CellRow, withDurations = true): void {
  sided[side].add(row, withDurations);
  if (side === "now" && row.count > 0) sided.first = Math.min(sided.first, row.hour);
}

function shareOf(sum: Sum): Share["before"] {
  const { count, failed, escalated } = sum;
  return { count, failed, escalated, p95: sum.latency().p95 };
}
