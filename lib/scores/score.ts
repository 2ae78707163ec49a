/** Who judged: a person in the console, a program over the API or OpenTelemetry, or a rule of this server. */
export const SCORE_SOURCES = ["person", "program", "evaluator"] as const;
export type ScoreSource = (typeof SCORE_SOURCES)[number];

/** A number, yes or no, or a category. */
export type ScoreValue = number | boolean | string;
export type ScoreKind = "number" | "boolean" | "category";

/** What a score is about. All null: the whole conversation. `call_id` is that of a call of the run. */
export interface ScoreTarget {
  seq: number | null;
  run_id: string | null;
  call_id: string | null;
}

/** A judgement of a conversation, or of a part of it. It is not part of the log. */
export interface NewScore extends ScoreTarget {
  name: string;
  value: ScoreValue;
  source: ScoreSource;
  comment: string | null;
  /** Who gave it. */
  by: string | null;
}

export interface Score extends NewScore {
  /** The same for what the same author says of the same under the same name: a newer score replaces it. */
  id: string;
  /** ISO 8601. */
  at: string;
}

/** A score in a file: its id follows from what it says. */
export type ExportedScore = Omit<Score, "id">;

/** What the list says of the scores of one name: the average, of yes or no the share of yes, of categories the newest. */
export interface ScoreSummary {
  name: string;
  kind: ScoreKind;
  count: number;
  value: number | string;
}

export const LONGEST_SCORE_NAME = 100;
export const LONGEST_CATEGORY = 200;
export const LONGEST_COMMENT = 2_000;
/** Scores that a conversation has at most. */
export const MOST_SCORES = 1_000;
/** Of so many of a conversation, the newest, the list says something. */
export const LISTED_SCORES = 50;

/** The names under which people score in the console. */
export const THUMBS = "thumbs";
export const RATING = "rating";
export const HIGHEST_RATING = 5;

export function scoreKind(value: ScoreValue): ScoreKind {
  switch (typeof value) {
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "category";
  }
}

/** A condition on the scores of one name. Without `is` it is enough that there is one. */
export interface ScoreFilter {
  name: string;
  is?: { operator: ScoreOperator; value: string };
  /** Given at or after, and before; epoch ms. */
  since?: number | undefined;
  until?: number | undefined;
}

const OPERATORS = ["<=", ">=", "<", ">", "="] as const;
export type ScoreOperator = (typeof OPERATORS)[number];

/**
 * Reads the filter of the list: `rating`, `rating<3`, `thumbs=false`, `topic=refund`. Null if it is none: other operators than
 * `=` compare numbers.
 */
export function parseScoreFilter(text: string): ScoreFilter | null {
  const at = text.search(/[<>=]/);
  const name = (at < 0 ? text : text.slice(0, at)).trim();
  if (name === "" || name.length > LONGEST_SCORE_NAME) return null;
  if (at < 0) return { name };
  const operator = OPERATORS.find((one) => text.startsWith(one, at));
  if (operator === undefined) return null;
  const value = text.slice(at + operator.length).trim();
  if (value === "" || (operator !== "=" && !isNumber(value))) return null;
  return { name, is: { operator, value } };
}

export function printScoreFilter({ name, is }: ScoreFilter): string {
  return is ? `${name}${is.operator}${is.value}` : name;
}

export function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Sums up scores, the newest first. Of a name with values of several kinds, those of the newest's kind count. */
export function summarizeScores(scores: Iterable<Pick<Score, "name" | "value">>): ScoreSummary[] {
  const byName = new Map<string, { kind: ScoreKind; newest: ScoreValue; values: number[] }>();
  for (const { name, value } of scores) {
    const kind = scoreKind(value);
    const known = byName.get(name) ?? { kind, newest: value, values: [] };
    byName.set(name, known);
    if (known.kind !== kind) continue;
    known.values.push(Number(value) || 0);
  }
  return [...byName]
    .map(([name, { kind, newest, values }]) => ({
      ...{ name, kind, count: values.length },
      value: typeof newest === "string" ? newest : averageOf(values),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Also of numbers whose sum is none. */
function averageOf(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (Number.isFinite(sum)) return sum / values.length;
  return values.reduce((total, value) => total + value / values.length, 0);
}
