import type { Series, StoredCounts } from "./counts.ts";
import { readScoreSeries, SCORE_UNITS } from "./score-parts.ts";

/** How many scores, and their mean: of yes or no the share of yes, of a category its share of all under that name; null for none. */
export interface ScoreFigure {
  count: number;
  mean: number | null;
}

/** A value of a dimension with its scores. `agent`: of a version. */
export interface ScoreShare extends ScoreFigure {
  name: string;
  agent: string | null;
  before: ScoreFigure;
}

/** The scores of a name in a period, over time, beside the period before. Of categories there is one for each. */
export interface ScoreLane {
  name: string;
  kind: "number" | "boolean" | "category";
  category: string | null;
  now: ScoreFigure;
  earlier: ScoreFigure;
  /** In the order of the buckets of the overview. */
  buckets: { now: ScoreFigure; earlier: ScoreFigure }[];
  where: Record<"agent" | "version" | "tool", ScoreShare[]>;
}

/** Lanes that are told: the most frequent. */
const MOST_LANES = 24;
/** Values of each dimension that are told. */
const MOST_SHARES = 20;

type Side = "now" | "earlier";

/** Of scores: their sum, in whole units, and how many there are; of categories, of how many. */
class Tally {
  count = 0;
  #sum = 0;

  add({ count, score_sum }: Pick<StoredCounts, "count" | "score_sum">): void {
    this.count += count;
    this.#sum += score_sum;
  }

  /** `of` all of its name, for a category. */
  figure(of: number | null): ScoreFigure {
    const { count } = this;
    if (of !== null) return { count, mean: of === 0 ? null : count / of };
    return { count, mean: count === 0 ? null : this.#sum / SCORE_UNITS / count };
  }
}

interface Sided {
  now: Tally;
  earlier: Tally;
}

const sided = (): Sided => ({ now: new Tally(), earlier: new Tally() });

/** All that is told of one series of scores, or of all of a name. */
class Lane {
  readonly whole = sided();
  /** Those in which there was any, by their index. */
  readonly buckets = new Map<number, Sided>();
  readonly where = {
    agent: new Map<string, Sided>(),
    version: new Map<string, Sided>(),
    tool: new Map<string, Sided>(),
  };

  addWhole(side: Side, index: number, row: StoredCounts): void {
    this.whole[side].add(row);
    const bucket = this.buckets.get(index) ?? sided();
    this.buckets.set(index, bucket);
    bucket[side].add(row);
  }

  addShares({ agent, version, tool }: Series, side: Side, row: StoredCounts): void {
    const names = { agent, version: version === "" ? "" : JSON.stringify([agent, version]), tool };
    for (const dimension of ["agent", "version", "tool"] as const) {
      const name = names[dimension];
      if (name === "") continue;
      const known = this.where[dimension].get(name) ?? sided();
      this.where[dimension].set(name, known);
      known[side].add(row);
    }
  }
}

/** Collects the scores of an overview. */
export class ScoreLanes {
  readonly #length: number;
  readonly #lanes = new Map<string, Lane>();
  /** Of categories, all under their name. */
  readonly #names = new Map<string, Lane>();

  constructor(length: number) {
    this.#length = length;
  }

  /** Adds what tells how many there were in all, and when. */
  addWhole(of: Series, side: Side, index: number, row: StoredCounts): void {
    for (const lane of this.#lanesOf(of)) lane.addWhole(side, index, row);
  }

  /** Adds what tells by whom. */
  addShares(of: Series, side: Side, row: StoredCounts): void {
    for (const lane of this.#lanesOf(of)) lane.addShares(of, side, row);
  }

  #lanesOf({ kind, score }: Series): Lane[] {
    if (kind !== "score") return [];
    const lane = this.#at(this.#lanes, score);
    const read = readScoreSeries(score);
    return read.kind === "category" ? [lane, this.#at(this.#names, read.name)] : [lane];
  }

  #at(lanes: Map<string, Lane>, key: string): Lane {
    const known = lanes.get(key) ?? new Lane();
    lanes.set(key, known);
    return known;
  }

  /** By name; the categories of one by how often they are. */
  all(): ScoreLane[] {
    return [...this.#lanes]
      .map(([key, lane]) => this.#told(key, lane))
      .sort((one, other) => other.now.count - one.now.count)
      .slice(0, MOST_LANES)
      .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : other.now.count - one.now.count));
  }

  #told(key: string, lane: Lane): ScoreLane {
    const { name, kind, category } = readScoreSeries(key);
    const whole = kind === "category" ? this.#names.get(name) : undefined;
    const figures = (one: Sided, all: Sided | undefined) => ({
      now: one.now.figure(all ? all.now.count : null),
      earlier: one.earlier.figure(all ? all.earlier.count : null),
    });
    const shares = (dimension: keyof Lane["where"]): ScoreShare[] =>
      [...lane.where[dimension]]
        .map(([value, one]) => {
          const { now, earlier } = figures(one, whole?.where[dimension].get(value));
          const [agent, version]: [string | null, string] = dimension === "version" ? JSON.parse(value) : [null, value];
          return { ...now, name: version, agent, before: earlier };
        })
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count)
        .slice(0, MOST_SHARES);
    return {
      ...{ name, kind, category, ...figures(lane.whole, whole?.whole) },
      buckets: Array.from({ length: this.#length }, (_, index) =>
        figures(lane.buckets.get(index) ?? sided(), whole?.buckets.get(index)),
      ),
      where: { agent: shares("agent"), version: shares("version"), tool: shares("tool") },
    };
  }
}
