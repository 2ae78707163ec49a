import type { Overview } from "@/lib/api/shapes.ts";
import { isHigher } from "@/lib/rollup/findings.ts";
import type { Happened } from "./place.ts";
import type { Words } from "./use-words.ts";

export type Figures = Overview["now"];
export const LANES = ["conversations", "failed", "calls", "escalated", "latency", "cost", "tokens", "wait"] as const;
export type LaneName = (typeof LANES)[number];

/** One line of a lane: its values over time, null where there are none. */
export interface LaneLine {
  name: string;
  read(figures: Figures): number | null;
  words(figures: Figures): string;
  change(now: Figures, before: Figures): string;
}

export interface Lane {
  name: LaneName;
  lines: readonly LaneLine[];
  /** Amounts are bars, all else are lines. */
  isBars: boolean;
  /** What a mark counts, and which conversations those are. */
  happened: Happened["happened"];
  /** Where it is worse than the period before explains. */
  ink: "failed" | "escalated" | null;
  /** How many of how many are hit; null for what is no share. */
  shareOf: ((figures: Figures) => readonly [hits: number, of: number]) | null;
}

/** The lanes of an overview, from top to bottom. Where no price is known, tokens stand for the cost. */
export function lanesOf(words: Words, { now, earlier }: Pick<Overview, "now" | "earlier">): Lane[] {
  const share = (
    name: LaneName,
    happened: Happened["happened"],
    ink: "failed" | "escalated",
    of: NonNullable<Lane["shareOf"]>,
  ): Lane => ({
    ...{ name, happened, shareOf: of, isBars: false, ink: isHigher(of(now), of(earlier)) ? ink : null },
    lines: [
      {
        name: "",
        read: (figures) => (of(figures)[1] === 0 ? null : of(figures)[0] / of(figures)[1]),
        words: (figures) => words.share(...of(figures)),
        change: (figures, before) => words.points(of(figures), of(before)),
      },
    ],
  });
  const amount = (
    name: LaneName,
    happened: Happened["happened"],
    lines: [name: string, read: (figures: Figures) => number | null, words: (figures: Figures) => string][],
    isBars = false,
  ): Lane => ({
    ...{ name, happened, isBars, ink: null, shareOf: null },
    lines: lines.map(([line, read, print]) => ({
      ...{ name: line, read, words: print },
      change: (figures, before) => words.change(read(figures), read(before)),
    })),
  });
  const costOf = ({ cost, turns }: Figures) => (cost[0] && turns > 0 ? cost[0].amount / turns : null);
  const tokensOf = ({ input_tokens, output_tokens, turns }: Figures) =>
    turns === 0 ? null : Math.round((input_tokens + output_tokens) / turns);
  return [
    amount("conversations", "began", [["", (of) => of.conversations, (of) => words.number(of.conversations)]], true),
    share("failed", "failed_turn", "failed", ({ failed_turns, turns }) => [failed_turns, turns]),
    share("calls", "failed_call", "failed", ({ failed_calls, calls }) => [failed_calls, calls]),
    share("escalated", "escalated", "escalated", ({ escalated, turns }) => [escalated, turns]),
    amount("latency", "turn", [
      ["p50", ({ latency }) => latency.p50, ({ latency }) => words.duration(latency.p50)],
      ["p95", ({ latency }) => latency.p95, ({ latency }) => words.duration(latency.p95)],
      ["p99", ({ latency }) => latency.p99, ({ latency }) => words.duration(latency.p99)],
    ]),
    now.cost.length > 0
      ? amount("cost", "turn", [["", costOf, ({ cost, turns }) => words.cost(cost, turns)]])
      : amount("tokens", "turn", [["", tokensOf, (of) => words.amount(tokensOf(of))]]),
    amount("wait", "approval", [["", ({ wait }) => wait, ({ wait }) => words.duration(wait)]]),
  ];
}

/** How many a mark counts. */
export function countOf(lane: LaneName, figures: Figures): number {
  switch (lane) {
    case "conversations":
      return figures.conversations;
    case "failed":
      return figures.failed_turns;
    case "calls":
      return figures.failed_calls;
    case "escalated":
      return figures.escalated;
    case "latency":
    case "cost":
    case "tokens":
      return figures.turns;
    case "wait":
      return figures.approvals;
    default:
      return lane satisfies never;
  }
}
