import { wilson } from "../suites/verdict.ts";
import type { ScoreKind, ScoreSource, ScoreValue } from "./score.ts";

/** A score of a conversation that a person has scored under the same name. */
export interface ReviewedScore {
  conversation_id: string;
  /** The conversation's title. */
  title: string | null;
  name: string;
  source: ScoreSource;
  by: string | null;
  value: ScoreValue;
}

/** What a person and another rater said of a conversation. */
export interface Pair {
  conversation_id: string;
  title: string | null;
  person: ScoreValue;
  rater: ScoreValue;
}

/** How far a rater agrees with people, under one name. */
export interface Agreement {
  name: string;
  /** `judge:careful`, `key:ci`; null: a rule of this server. */
  rater: string | null;
  kind: ScoreKind;
  /** Conversations that both have scored. */
  pairs: number;
  /** The share in which they agree, with Wilson's 95 % interval. */
  agreed: { share: number; from: number; to: number };
  /** Cohen's kappa, of numbers with quadratic weights: 1 for the same, 0 for what chance gives. Null where all said one thing. */
  kappa: number | null;
  disagreeing: Pair[];
}

/** Numbers agree if they differ by no more than this part of the range of both. */
const CLOSE = 0.1;
/** Disagreements that are told, those that differ most first. */
const MOST_DISAGREEING = 50;

/**
 * Compares what people said with what others said of the same conversation under the same name. `scores` are the newest first: of
 * several in a conversation the newest of each side counts.
 */
export function agreementsOf(scores: Iterable<ReviewedScore>): Agreement[] {
  const people = new Map<string, ReviewedScore>();
  const raters = new Map<string, Map<string, ReviewedScore>>();
  for (const score of scores) {
    const place = JSON.stringify([score.name, score.conversation_id]);
    if (score.source === "person") {
      if (!people.has(place)) people.set(place, score);
      continue;
    }
    const key = JSON.stringify([score.name, score.by]);
    const own = raters.get(key) ?? new Map<string, ReviewedScore>();
    raters.set(key, own);
    if (!own.has(place)) own.set(place, score);
  }
  return [...raters.values()]
    .flatMap((own) => {
      const [first] = own.values();
      if (!first) return [];
      const pairs = [...own].flatMap(([place, { conversation_id, title, value }]): Pair[] => {
        const person = people.get(place);
        return person && typeof person.value === typeof value
          ? [{ conversation_id, title, person: person.value, rater: value }]
          : [];
      });
      return pairs.length === 0 ? [] : [agreementOf(first, pairs)];
    })
    .sort((one, other) => (one.name === other.name ? other.pairs - one.pairs : one.name < other.name ? -1 : 1));
}

function agreementOf({ name, by }: ReviewedScore, pairs: readonly Pair[]): Agreement {
  const numbers = pairs.flatMap(({ person, rater }): [number, number][] =>
    typeof person === "number" && typeof rater === "number" ? [[person, rater]] : [],
  );
  const isNumber = numbers.length === pairs.length;
  const all = numbers.flat();
  const range = isNumber ? Math.max(...all) - Math.min(...all) : 0;
  const far = ({ person, rater }: Pair) =>
    isNumber ? Math.abs(Number(person) - Number(rater)) : Number(person !== rater);
  const apart = pairs.filter((pair) => far(pair) > range * CLOSE);
  return {
    ...{ name, rater: by, kind: isNumber ? "number" : typeof pairs[0]?.person === "boolean" ? "boolean" : "category" },
    pairs: pairs.length,
    agreed: wilson(pairs.length - apart.length, pairs.length),
    kappa: isNumber ? weightedKappa(numbers) : kappa(pairs),
    disagreeing: apart.sort((one, other) => far(other) - far(one)).slice(0, MOST_DISAGREEING),
  };
}

/** Cohen's kappa: how much more they agree than chance would, given how often each says what. */
function kappa(pairs: readonly Pair[]): number | null {
  const [people, raters] = [new Map<ScoreValue, number>(), new Map<ScoreValue, number>()];
  for (const { person, rater } of pairs) {
    people.set(person, (people.get(person) ?? 0) + 1);
    raters.set(rater, (raters.get(rater) ?? 0) + 1);
  }
  const agreed = pairs.filter(({ person, rater }) => person === rater).length / pairs.length;
  const chance =
    [...people].reduce((sum, [value, count]) => sum + count * (raters.get(value) ?? 0), 0) / pairs.length ** 2;
  return chance === 1 ? null : (agreed - chance) / (1 - chance);
}

/** The same with quadratic weights, of the values themselves: the mean squared difference beside that of all with all. */
function weightedKappa(pairs: readonly [number, number][]): number | null {
  const mean = (of: (pair: [number, number]) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [x, y] = [mean(([one]) => one), mean(([, one]) => one)];
  const spread = mean(([one]) => (one - x) ** 2) + mean(([, one]) => (one - y) ** 2) + (x - y) ** 2;
  return spread === 0 ? null : 1 - mean(([one, other]) => (one - other) ** 2) / spread;
}
