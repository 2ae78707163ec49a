import { costOf, type Prices } from "../session/prices.ts";
import type { SeriesKind, StoredCounts } from "./counts.ts";
import {
  type Change,
  type Estimate,
  estimateChange,
  estimateMean,
  estimateQuantile,
  estimateShare,
} from "./estimates.ts";
import { readScoreSeries, SCORE_UNITS } from "./score-parts.ts";
import { decodeInto, durationOf, type Sketch } from "./sketch.ts";

/** Which versions of an agent are compared, in a period (epoch ms): by default the newest with the one that came before it. */
export interface VersionsQuery {
  agent: string;
  before?: string | undefined;
  after?: string | undefined;
  from: number;
  to: number;
}

/** A version of an agent in a period, the newest first. */
export interface VersionShare {
  version: string;
  conversations: number;
  turns: number;
  /** The first and the last hour in which it had turns, epoch ms. */
  first: number;
  last: number;
}

/** The versions to compare, as asked or as usual; null: there is nothing to compare. */
export function chooseVersions(
  known: readonly VersionShare[],
  { before, after }: Pick<VersionsQuery, "before" | "after">,
): { before: string; after: string } | null {
  const isKnown = (name: string | undefined) => name === undefined || known.some(({ version }) => version === name);
  if (!isKnown(before) || !isKnown(after)) return null;
  const newest = after ?? known.find(({ version }) => version !== before)?.version;
  const place = known.findIndex(({ version }) => version === newest);
  const older = before ?? known[place + 1]?.version ?? known.find(({ version }) => version !== newest)?.version;
  return newest === undefined || older === undefined || older === newest ? null : { before: older, after: newest };
}

/** A part of a conversation with a version: what the rollup counted of it in an hour. */
export interface VersionPart
  extends Pick<
    StoredCounts,
    "count" | "failed" | "escalated" | "input_tokens" | "output_tokens" | "unreported" | "score_sum"
  > {
  conversation: number;
  kind: SeriesKind;
  model: string;
  channel: string;
  /** The series of a score. */
  score: string;
  /** Of turns; else null. */
  durations: Uint8Array | null;
}

/** Figures by which versions are compared. Shares are of conversations; cost, tokens and durations (ms) of turns. */
export const MEASURES = ["failed", "failed_calls", "escalated", "p50", "p95", "cost", "tokens"] as const;
export type MeasureName = (typeof MEASURES)[number];

/** A figure of both versions; `change` is null where one has none. */
export interface Measure {
  name: MeasureName;
  /** Of costs. */
  currency: string | null;
  before: Estimate | null;
  after: Estimate | null;
  change: Change | null;
  /** Of shares: the conversations that are counted. */
  hits: { before: number; after: number } | null;
}

/**
 * A score of both versions: of numbers the mean; of yes or no the share of conversations in which none of them is no; of a category
 * the share of conversations that have it, of those with any of its name.
 */
export interface ScoreMeasure extends Omit<Measure, "name" | "currency"> {
  name: string;
  kind: "number" | "boolean" | "category";
  category: string | null;
}

/** What is unusual about a conversation, for the version before. */
export const UNUSUAL = ["failed", "failed_calls", "escalated", "slow", "tokens"] as const;
export type Unusual = (typeof UNUSUAL)[number];

/** A conversation that the version before hardly ever had, and a usual one of that version, to compare it with. */
export interface Differing {
  conversation: number;
  unusual: Unusual[];
  /** Its longest turn, ms; null if none is known. */
  longest: number | null;
  tokens: number;
  beside: number | null;
}

/** How much of a version is compared. */
export interface VersionSide {
  conversations: number;
  turns: number;
}

export interface ComparedVersions {
  before: VersionSide;
  after: VersionSide;
  measures: Measure[];
  scores: ScoreMeasure[];
  differing: Differing[];
}

/** What a conversation did with a version. */
interface Conversation {
  id: number;
  channel: string;
  turns: number;
  failed: boolean;
  failed_calls: boolean;
  escalated: boolean;
  tokens: number;
  /** By currency. */
  cost: Map<string, number>;
  /** Requests to models without a known cost. */
  unpriced: number;
  durations: Sketch;
  /** The bucket of its longest turn; -1 for none. */
  longest: number;
  /** By series. */
  scores: Map<string, { sum: number; units: number }>;
}

/** Compares two versions by what the rollup counted of their conversations. */
export function compareVersions(
  before: Iterable<VersionPart>,
  after: Iterable<VersionPart>,
  prices: Prices,
): ComparedVersions {
  const [was, is] = [conversationsOf(before, prices), conversationsOf(after, prices)];
  return {
    before: sideOf(was),
    after: sideOf(is),
    measures: measuresOf(was, is),
    scores: scoresOf(was, is),
    differing: differingOf(was, is),
  };
}

function conversationsOf(parts: Iterable<VersionPart>, prices: Prices): Conversation[] {
  const all = new Map<number, Conversation>();
  for (const part of parts) {
    const known = all.get(part.conversation) ?? {
      ...{
        id: part.conversation,
        channel: part.channel,
        turns: 0,
        failed: false,
        failed_calls: false,
        escalated: false,
      },
      ...{ tokens: 0, cost: new Map<string, number>(), unpriced: 0, durations: new Map<number, number>(), longest: -1 },
      scores: new Map<string, { sum: number; units: number }>(),
    };
    all.set(part.conversation, known);
    add(known, part, prices);
  }
  return [...all.values()].filter(({ turns }) => turns > 0);
}

function add(to: Conversation, part: VersionPart, prices: Prices): void {
  switch (part.kind) {
    case "turn":
      to.turns += part.count;
      to.failed ||= part.failed > 0;
      to.escalated ||= part.escalated > 0;
      if (part.durations) decodeInto(to.durations, part.durations);
      for (const bucket of to.durations.keys()) to.longest = Math.max(to.longest, bucket);
      return;
    case "call":
      to.failed_calls ||= part.failed > 0;
      return;
    case "model": {
      const { model, input_tokens, output_tokens, unreported } = part;
      to.tokens += input_tokens + output_tokens;
      const cost = costOf([{ model, input_tokens, output_tokens, unreported: 0 }], prices);
      to.unpriced += cost ? unreported : part.count;
      for (const { currency, amount } of cost ?? []) to.cost.set(currency, (to.cost.get(currency) ?? 0) + amount);
      return;
    }
    case "score": {
      const known = to.scores.get(part.score) ?? { sum: 0, units: 0 };
      to.scores.set(part.score, { sum: known.sum + part.score_sum, units: known.units + part.count });
      return;
    }
    default:
      part.kind satisfies never;
  }
}

function sideOf(conversations: readonly Conversation[]): VersionSide {
  return { conversations: conversations.length, turns: conversations.reduce((all, { turns }) => all + turns, 0) };
}

type Figure = (side: readonly Conversation[]) => Estimate | null;

function both(was: readonly Conversation[], is: readonly Conversation[], of: Figure) {
  const [before, after] = [of(was), of(is)];
  return { before, after, change: before && after ? estimateChange(before, after) : null };
}

function measuresOf(was: readonly Conversation[], is: readonly Conversation[]): Measure[] {
  const measure = (name: MeasureName, of: Figure): Measure => ({
    ...{ name, currency: null, hits: null },
    ...both(was, is, of),
  });
  const share = (name: "failed" | "failed_calls" | "escalated"): Measure => {
    const hits = (side: readonly Conversation[]) => side.filter((one) => one[name]).length;
    return {
      ...measure(name, (side) => estimateShare(hits(side), side.length)),
      hits: { before: hits(was), after: hits(is) },
    };
  };
  const mean = (name: "cost" | "tokens", sumOf: (one: Conversation) => number) =>
    measure(name, (side) => estimateMean(side.map((one) => ({ sum: sumOf(one), units: one.turns }))));
  const quantile = (name: "p50" | "p95", part: number) =>
    measure(name, (side) =>
      estimateQuantile(
        part,
        side.map(({ durations }) => durations),
      ),
    );
  const currency = currencyOf([...was, ...is]);
  return [
    ...[share("failed"), share("failed_calls"), share("escalated"), quantile("p50", 0.5), quantile("p95", 0.95)],
    ...(currency === null ? [] : [{ ...mean("cost", ({ cost }) => cost.get(currency) ?? 0), currency }]),
    mean("tokens", ({ tokens }) => tokens),
  ];
}

/** Scores that are compared, the most frequent. */
const MOST_SCORES = 20;

function scoresOf(was: readonly Conversation[], is: readonly Conversation[]): ScoreMeasure[] {
  const found = new Map<string, number>();
  for (const { scores } of [...was, ...is]) for (const key of scores.keys()) found.set(key, (found.get(key) ?? 0) + 1);
  return [...found]
    .sort(([one, count], [other, others]) => others - count || (one < other ? -1 : 1))
    .slice(0, MOST_SCORES)
    .map(([key]): ScoreMeasure => {
      const series = readScoreSeries(key);
      if (series.kind === "number") {
        const mean: Figure = (side) =>
          estimateMean(
            side.flatMap(({ scores }) => {
              const own = scores.get(key);
              return own ? [{ sum: own.sum / SCORE_UNITS, units: own.units }] : [];
            }),
          );
        return { ...series, ...both(was, is, mean), hits: null };
      }
      const having = (side: readonly Conversation[]) =>
        side.filter(({ scores }) =>
          series.kind === "boolean"
            ? scores.has(key)
            : [...scores.keys()].some((other) => other.startsWith(`${series.name}=`) && !other.endsWith("=")),
        );
      const hits = (side: readonly Conversation[]) =>
        having(side).filter(({ scores }) => {
          const own = scores.get(key);
          return own !== undefined && (series.kind === "category" || own.sum === own.units * SCORE_UNITS);
        }).length;
      return {
        ...series,
        ...both(was, is, (side) => estimateShare(hits(side), having(side).length)),
        hits: { before: hits(was), after: hits(is) },
      };
    });
}

/** Costs are compared if all are known, in one currency. */
function currencyOf(conversations: readonly Conversation[]): string | null {
  if (conversations.some(({ unpriced }) => unpriced > 0)) return null;
  const known = new Set(conversations.flatMap(({ cost }) => [...cost.keys()]));
  const [one = null] = known;
  return known.size === 1 ? one : null;
}

/** Conversations that are told. */
const MOST_DIFFERING = 8;
/** What one conversation in twenty has is not unusual. In bits. */
const UNLIKELY = Math.log2(20);

/**
 * The conversations of the new version that are the most surprising for the version before: the sum over what is unusual about
 * each of -log2 of how often that version had it.
 */
function differingOf(was: readonly Conversation[], is: readonly Conversation[]): Differing[] {
  if (was.length === 0) return [];
  const had = (hit: (one: Conversation) => boolean) => bitsOf(was.filter(hit).length, was.length);
  const bits = {
    failed: had(({ failed }) => failed),
    failed_calls: had(({ failed_calls }) => failed_calls),
    escalated: had(({ escalated }) => escalated),
  };
  const longest = sortedBy(was, ({ longest }) => longest);
  const tokens = sortedBy(was, ({ tokens }) => tokens);
  const usual = usualOf(was, longest, tokens);
  return is
    .map((one) => {
      const found: [what: Unusual, bits: number][] = [
        ...(["failed", "failed_calls", "escalated"] as const).map((what): [Unusual, number] => [
          what,
          one[what] ? bits[what] : 0,
        ]),
        ["slow", bitsOf(countFrom(longest, one.longest), was.length)],
        ["tokens", bitsOf(countFrom(tokens, one.tokens), was.length)],
      ];
      const unusual = found.filter(([, surprise]) => surprise > UNLIKELY);
      return { one, unusual, surprise: unusual.reduce((sum, [, more]) => sum + more, 0) };
    })
    .filter(({ unusual }) => unusual.length > 0)
    .sort((a, b) => b.surprise - a.surprise || b.one.id - a.one.id)
    .slice(0, MOST_DIFFERING)
    .map(({ one, unusual }) => ({
      conversation: one.id,
      unusual: unusual.map(([what]) => what),
      longest: one.longest < 0 ? null : durationOf(one.longest),
      tokens: one.tokens,
      beside: usual(one),
    }));
}

/** How surprising is what so many of all had; nothing is taken for impossible. */
function bitsOf(hits: number, all: number): number {
  return -Math.log2((hits + 1) / (all + 2));
}

function sortedBy(all: readonly Conversation[], of: (one: Conversation) => number): number[] {
  return all.map(of).sort((one, other) => one - other);
}

/** How many are as much, or more. */
function countFrom(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return sorted.length - low;
}

/** Finds a usual conversation beside another: nothing failed, as many turns if there is one, the same channel, about median. */
function usualOf(was: readonly Conversation[], longest: readonly number[], tokens: readonly number[]) {
  const middle = (sorted: readonly number[]) => sorted[sorted.length >> 1] ?? 0;
  const [duration, used] = [middle(longest), middle(tokens)];
  const from = was
    .filter(({ failed, failed_calls, escalated }) => !failed && !failed_calls && !escalated)
    .map((one) => ({
      one,
      far: Math.abs(one.longest - duration) / Math.max(1, duration) + Math.abs(one.tokens - used) / Math.max(1, used),
    }))
    .sort((a, b) => a.far - b.far || b.one.id - a.one.id)
    .map(({ one }) => one);
  return ({ turns, channel }: Conversation): number | null => {
    const alike = from.filter((one) => one.channel === channel);
    const best = alike.find((one) => one.turns === turns) ?? alike[0] ?? from[0];
    return best?.id ?? null;
  };
}
