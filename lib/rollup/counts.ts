import { decodeInto, encode, merge, type Sketch } from "./sketch.ts";

/** What is counted: the turns of a conversation, the calls of tools, the requests to models, and scores. */
export const SERIES_KINDS = ["turn", "call", "model", "score"] as const;
export type SeriesKind = (typeof SERIES_KINDS)[number];

/** By what is counted apart; "" where it is not known. `tool` is that of calls, `score` the name of scores (`score-parts.ts`). */
export interface Series {
  kind: SeriesKind;
  agent: string;
  version: string;
  model: string;
  channel: string;
  stage: string;
  tool: string;
  score: string;
}

/**
 * How finely a series tells: `full` by everything; the others are sums over all that they do not name, so that a view of
 * everything, or of one model, channel or stage, reads few cells. `version` has the agent, and of calls the tool. Of requests all
 * name the model, and of scores their name.
 */
export const CUTS = ["full", "version", "model", "channel", "stage"] as const;
export type Cut = (typeof CUTS)[number];

/** A series with how finely it tells; what it does not name is "". */
export interface CutSeries extends Series {
  cut: Cut;
}

/** A series as it is read. `slice`: a full one of which it is only told what happened when. */
export interface ToldSeries extends Series {
  cut: Cut | "slice";
}

/** The numbers of a cell. `count` is of turns, calls or requests, by the kind of the series. */
export const NUMBERS = [
  "began",
  "count",
  "failed",
  "escalated",
  "input_tokens",
  "output_tokens",
  "unreported",
  "score_sum",
] as const;

/**
 * What happened in an hour, or on a day, of one series. `began`: conversations that began. `unreported`: requests to models whose
 * tokens are not known. `score_sum`: of numbers, in whole `SCORE_UNITS`. `durations` of turns, calls or requests, and `waits` of approvals, in ms.
 */
export interface Counts extends Record<(typeof NUMBERS)[number], number> {
  durations: Sketch;
  waits: Sketch;
}

/** What one conversation adds to the counts of an hour, with its longest call. */
export interface Part extends Counts {
  longest: number;
  longest_seq: number;
}

/** Counts as they are stored. */
export interface StoredCounts extends Record<(typeof NUMBERS)[number], number> {
  durations: Uint8Array;
  waits: Uint8Array;
}

export function noCounts(): Counts {
  return {
    ...{ began: 0, count: 0, failed: 0, escalated: 0, input_tokens: 0, output_tokens: 0, unreported: 0, score_sum: 0 },
    ...{ durations: new Map(), waits: new Map() },
  };
}

export function noPart(): Part {
  return { ...noCounts(), longest: 0, longest_seq: 0 };
}

/** Adds what is no duration; subtracts it with the sign -1. */
export function addNumbers(to: Counts, more: Counts, sign: 1 | -1): void {
  for (const name of NUMBERS) to[name] += sign * more[name];
}

/** Adds counts, or subtracts them with the sign -1: the inverse. */
export function addCounts(to: Counts, more: Counts, sign: 1 | -1 = 1): void {
  addNumbers(to, more, sign);
  merge(to.durations, more.durations, sign);
  merge(to.waits, more.waits, sign);
}

/** Adds what a conversation did later in the same hour. */
export function addPart(to: Part, more: Part): void {
  addCounts(to, more);
  if (more.longest <= to.longest) return;
  to.longest = more.longest;
  to.longest_seq = more.longest_seq;
}

export function addStored(to: Counts, stored: StoredCounts): void {
  for (const name of NUMBERS) to[name] += stored[name];
  decodeInto(to.durations, stored.durations);
  decodeInto(to.waits, stored.waits);
}

export function isEmpty(counts: Counts): boolean {
  return NUMBERS.every((name) => counts[name] === 0) && counts.durations.size === 0 && counts.waits.size === 0;
}

export function toStored(counts: Counts): StoredCounts {
  const { began, count, failed, escalated, input_tokens, output_tokens, unreported, score_sum } = counts;
  return {
    ...{ began, count, failed, escalated, input_tokens, output_tokens, unreported, score_sum },
    ...{ durations: encode(counts.durations), waits: encode(counts.waits) },
  };
}

/** The name of a series as a key. */
export function seriesKey({ kind, agent, version, model, channel, stage, tool, score }: Series): string {
  return JSON.stringify([kind, agent, version, model, channel, stage, tool, score]);
}

/** All series in which what is counted by one is a part of the sum; the full one first. */
export function cutsOf(series: Series): CutSeries[] {
  const { kind, agent, version, model, channel, stage, tool, score } = series;
  const requested = kind === "model" ? model : "";
  const none = { kind, agent: "", version: "", model: requested, channel: "", stage: "", tool: "", score };
  return [
    { ...series, cut: "full" },
    { ...none, cut: "version", agent, version, tool },
    { ...none, cut: "model", model },
    { ...none, cut: "channel", channel },
    { ...none, cut: "stage", stage },
  ];
}

/**
 * Whether cells of a series are kept by hour only, and without durations: of one model, channel or stage, nobody asks how long its
 * calls and requests took over time, and its days are read from those that tell by everything.
 */
export function isPlain({ cut, kind }: CutSeries): boolean {
  return kind !== "turn" && cut !== "full" && cut !== "version";
}
