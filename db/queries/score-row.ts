import type { ReviewedScore } from "../../lib/scores/agreement.ts";
import {
  isNumber,
  LISTED_SCORES,
  type Score,
  type ScoreFilter,
  type ScoreKind,
  type ScoreValue,
  scoreKind,
} from "../../lib/scores/score.ts";
import { scoreId } from "../../lib/scores/score-id.ts";
import { toIso, toMs } from "../times.ts";
import { type Among, and, areFew, type Sql, sql } from "./sql.ts";

/** A score as the table has it: the value as text, that of yes or no as 1 or 0; the time in epoch ms. */
export interface ScoreRow extends Omit<Score, "value" | "at"> {
  kind: ScoreKind;
  value: string;
  at: number;
}

/** The values of a row: those of `SCORE_COLUMNS`, then how a model came to it, as JSON. */
export type ScoreValues = [
  conversation_id: string,
  id: string,
  seq: number | null,
  run_id: string | null,
  call_id: string | null,
  name: string,
  kind: string,
  value: string,
  source: string,
  comment: string | null,
  by: string | null,
  at: number,
  detail: string | null,
];

export const SCORE_COLUMNS = "id, seq, run_id, call_id, name, kind, value, source, comment, by, at";

/** Adds a score or replaces it; the markers of the values are the storage's own. */
export const saveScoreWith = (markers: string) => `INSERT INTO scores (conversation_id, ${SCORE_COLUMNS}, detail)
  VALUES (${markers}) ON CONFLICT (conversation_id, id) DO UPDATE SET kind = excluded.kind, value = excluded.value,
    comment = excluded.comment, at = excluded.at, detail = excluded.detail`;

/** The tokens of all judgements, whose JSON this is. */
export const spentTokens = (detail: string) =>
  `CAST(coalesce(sum(CAST(${detail} ->> 'input_tokens' AS bigint) + CAST(${detail} ->> 'output_tokens' AS bigint)), 0) AS bigint)`;

/** What all judgements cost, in one number, whatever the currency. */
export const spentMoney = (detail: string) =>
  `CAST(coalesce(sum(CAST(${detail} -> 'cost' -> 0 ->> 'amount' AS double precision)), 0) AS double precision)`;

export function toScore({ kind, value, at, ...rest }: ScoreRow): Score {
  return { ...rest, value: readValue(kind, value), at: toIso(at) };
}

export function scoreValues(conversationId: string, score: Omit<Score, "id">, detail: string | null): ScoreValues {
  const { seq, run_id, call_id, name, value, source, comment, by, at } = score;
  const kind = scoreKind(value);
  const text = kind === "boolean" ? String(Number(value)) : String(value);
  const id = scoreId(score);
  return [conversationId, id, seq, run_id, call_id, name, kind, text, source, comment, by, toMs(at), detail];
}

function readValue(kind: ScoreKind, value: string): ScoreValue {
  switch (kind) {
    case "number":
      return Number(value);
    case "boolean":
      return value === "1";
    case "category":
      return value;
    default:
      return kind satisfies never;
  }
}

/** The newest scores of a conversation in a row of the list, as JSON: see `listedScores`. */
export const LISTED_SCORES_FROM = `(SELECT name, kind, value FROM scores WHERE conversation_id = conversations.id
  ORDER BY at DESC, id LIMIT ${LISTED_SCORES}) AS newest`;

/** The same, read. */
export function listedScores(json: string | null): Pick<Score, "name" | "value">[] {
  const rows: [name: string, kind: ScoreKind, value: string][] = JSON.parse(json ?? "[]");
  return rows.map(([name, kind, value]) => ({ name, value: readValue(kind, value) }));
}

/** Conversations that have such a score; `among`: these are found first. */
export function scoredBy(filter: ScoreFilter, among: Among | null): Sql {
  return among
    ? among("id", sql`SELECT conversation_id FROM scores WHERE ${scoreIs(filter, "")}`)
    : sql`EXISTS (SELECT 1 FROM scores WHERE scores.conversation_id = conversations.id AND ${scoreIs(filter, "+")})`;
}

/** Whether few scores are such, 1 or 0. */
export function areFewScores(filter: ScoreFilter): Sql {
  return areFew(sql`scores WHERE ${scoreIs(filter, "")}`);
}

/** Numbers and yes or no are compared as numbers. With a plus before them, their index is not used: where a conversation is given. */
function scoreIs({ name, is, since, until }: ScoreFilter, plus: "+" | ""): Sql {
  const column = (text: string): Sql => ({ text, values: [] });
  // Of a short time there are fewer scores than of a name: they are to be found by the index of times.
  const isByTime = plus === "" && since !== undefined;
  return and(
    sql`${column(isByTime ? "name || ''" : "name")} = ${name}`,
    is ? valueIs(is, plus) : null,
    since === undefined ? null : sql`${column(`${plus}at`)} >= ${since}`,
    until === undefined ? null : sql`${column(`${plus}at`)} < ${until}`,
  );
}

/** As in the index `scores_by_number`. */
const NUMBER = "(CASE WHEN kind = 'category' THEN NULL ELSE CAST(value AS double precision) END)";

function valueIs({ operator, value }: NonNullable<ScoreFilter["is"]>, plus: "+" | ""): Sql {
  const compared = { text: operator, values: [] };
  const number = value === "true" ? 1 : value === "false" ? 0 : isNumber(value) ? Number(value) : null;
  const asCategory = sql`kind = 'category' AND value = ${value}`;
  if (number === null) return asCategory;
  const asNumber = sql`${{ text: `${plus}${NUMBER}`, values: [] }} ${compared} ${number}`;
  return operator === "=" ? sql`(${asNumber} OR ${asCategory})` : asNumber;
}

/** Scores that are compared, the newest. */
const MOST_REVIEWED = 20_000;

/** The scores since a time of conversations that a person has scored under the same name, the newest first. */
export function reviewedSince(since: number): Sql {
  return sql`SELECT conversation_id, title, name, source, by, kind, value FROM scores
    JOIN conversations ON conversations.id = conversation_id
    WHERE at >= ${since} AND EXISTS (SELECT 1 FROM scores AS human
      WHERE human.conversation_id = scores.conversation_id AND human.name = scores.name AND human.source = 'person')
    ORDER BY at DESC, scores.id LIMIT ${MOST_REVIEWED}`;
}

export type ReviewedRow = Omit<ReviewedScore, "value"> & Pick<ScoreRow, "kind" | "value">;

export function toReviewed({ kind, value, ...rest }: ReviewedRow): ReviewedScore {
  return { ...rest, value: readValue(kind, value) };
}
