import { createHash } from "node:crypto";
import type { HourRow } from "../../lib/alert-rules/evaluate.ts";
import { type Condition, METRIC_TRAITS, RULE_FILTERS } from "../../lib/alert-rules/rule.ts";
import { returnedHours, waitingHours } from "../../lib/alert-rules/spans.ts";
import { cellId, HOUR_MS, SERIES } from "../../lib/rollup/place.ts";
import { HIGHEST_SCORE } from "../../lib/rollup/score-parts.ts";
import { failureOf, fingerprintOf } from "../../lib/session/failure/failure.ts";
import type { Prices } from "../../lib/session/prices.ts";
import type { RuleHours } from "../alert-rules.ts";
import { type EventRow, toEvent } from "../log/event-row.ts";
import { and, type Sql, sql } from "../queries/sql.ts";

/** What is read for a rule. Of an hour: a sum and a count, or of a model its tokens. Of what waits: its times, epoch ms. */
export interface RuleRow {
  hour: number;
  model: string;
  a: number;
  b: number | null;
}

/** What waits or has waited that is looked at, at most. */
const MOST_WAITING = 5_000;

const plain = (text: string): Sql => ({ text, values: [] });

type Counted = Exclude<Condition["metric"], "error_returned">;

/** The tool whose failures answer the rule; null: `ruleRead` does. */
export function failedToolOf({ metric, tool }: Condition): string | null {
  return metric === "error_returned" ? (tool ?? "") : null;
}

/** The statement of a rule's hours. `imported`: the storage's condition for events that were imported. */
export function ruleRead({ condition, from, to }: RuleHours, now: number, notImported: string): Sql {
  const metric = countedMetric(condition);
  switch (metric) {
    case "error_rate":
      return countsOf(condition, condition.tool === undefined ? "turn" : "call", { from, to });
    case "cost":
      return countsOf(condition, "model", { from, to });
    case "score":
      return sql`SELECT scores.at / ${plain(String(HOUR_MS))} AS hour, '' AS model,
          sum(CAST(value AS double precision)) AS a, count(*) AS b
        FROM scores JOIN conversations ON conversations.id = scores.conversation_id
        WHERE scores.at >= ${from * HOUR_MS} AND scores.at < ${(to + 1) * HOUR_MS} AND scores.name = ${condition.score ?? ""}
          AND CASE WHEN scores.kind = 'category' THEN false ELSE abs(CAST(value AS double precision)) <= ${HIGHEST_SCORE} END
          AND ${ofConversation(condition)}
        GROUP BY scores.at / ${plain(String(HOUR_MS))}`;
    case "approval_wait":
      return sql`SELECT 0 AS hour, '' AS model, requested_at AS a, decided_at AS b
        FROM confirmations JOIN events ON events.position = confirmations.position
          JOIN conversations ON conversations.id = confirmations.conversation_id
        WHERE (confirmations.status = 'requested' OR decided_at >= ${isNow(from, now) ? now : from * HOUR_MS})
          AND ${plain(notImported)} AND ${ofConversation(condition)}
        ORDER BY confirmations.position DESC LIMIT ${MOST_WAITING}`;
    case "stuck_run":
      return stuckRuns(condition, from, now);
    default:
      return metric satisfies never;
  }
}

function countedMetric({ metric }: Condition): Counted {
  if (metric === "error_returned") throw new Error("A rule about failures is not counted");
  return metric;
}

/** Only what is as of now is asked for. */
function isNow(from: number, now: number): boolean {
  return from >= Math.floor(now / HOUR_MS);
}

/** Turns that had no event for long are still running. Those of before, which ended, are told by how long they took. */
function stuckRuns(condition: Condition, from: number, now: number): Sql {
  const longest = Math.round(condition.threshold * 60_000);
  const running = sql`SELECT 0 AS hour, '' AS model, updated_at AS a, NULL AS b FROM conversations
    WHERE status = 'running' AND forked_from IS NULL AND updated_at < ${now - longest} AND ${ofConversation(condition)}`;
  if (isNow(from, now)) return sql`${running} ORDER BY updated_at LIMIT ${MOST_WAITING}`;
  const series = sql`SELECT id FROM rollup_series WHERE cut = 'full' AND kind = 'turn' AND ${ofSeries(condition, "rollup_series")}`;
  return sql`${running} UNION ALL
    SELECT hour, '' AS model, hour * ${plain(String(HOUR_MS))} AS a, hour * ${plain(String(HOUR_MS))} + max(longest) AS b
    FROM rollup_parts WHERE series IN (${series}) AND hour >= ${from} AND longest > ${longest} GROUP BY hour`;
}

/** Cells of the agents' versions, or the parts of conversations if it is narrowed by more. */
function countsOf(
  condition: Condition,
  kind: "turn" | "call" | "model",
  { from, to }: { from: number; to: number },
): Sql {
  const { model, channel, stage } = condition;
  // Of requests, the series of versions tell the model.
  const isFull = channel !== undefined || stage !== undefined || (model !== undefined && kind !== "model");
  const isModel = kind === "model";
  const columns = plain(
    isModel
      ? "series.model AS model, sum(input_tokens) AS a, sum(output_tokens) AS b"
      : "'' AS model, sum(failed) AS a, sum(count) AS b",
  );
  const group = plain(isModel ? "hour, series.model" : "hour");
  const wanted = and(
    sql`series.cut = ${isFull ? "full" : "version"}`,
    sql`series.kind = ${kind}`,
    ofSeries(condition, "series"),
  );
  if (isFull)
    return sql`SELECT hour, ${columns} FROM rollup_series AS series JOIN rollup_parts ON rollup_parts.series = series.id
      WHERE ${wanted} AND hour >= ${from} AND hour <= ${to} GROUP BY ${group}`;
  // Each cell is found by its number: an hour of all series has thousands.
  return sql`WITH RECURSIVE hours(hour) AS (
      SELECT CAST(${from} AS bigint) UNION ALL SELECT hour + 1 FROM hours WHERE hour < ${to}
    )
    SELECT hour, ${columns} FROM hours CROSS JOIN rollup_series AS series
      JOIN rollup_cells ON rollup_cells.id = ${plain(String(cellId("hour", false, 0, 0)))} + hours.hour * ${plain(String(SERIES))} + series.id
    WHERE ${wanted} GROUP BY ${group}`;
}

function ofSeries(condition: Condition, table: string): Sql {
  return and(
    ...RULE_FILTERS.map((name) => {
      const value = condition[name];
      return value === undefined ? null : sql`${plain(`${table}.${name}`)} = ${value}`;
    }),
  );
}

function ofConversation({ agent, channel, stage }: Condition): Sql {
  const equals = (column: string, value: string | undefined) =>
    value === undefined ? null : sql`${plain(`conversations.${column}`)} = ${value}`;
  return and(equals("agent_id", agent), equals("channel", channel), equals("stage", stage));
}

/** What rows of `ruleRead` say by hour. */
export function toHours(
  { condition, from, to }: RuleHours,
  rows: Iterable<RuleRow>,
  now: number,
  prices: Prices,
): HourRow[] {
  if (!METRIC_TRAITS[condition.metric].hasWindow) {
    const spans = [...rows].map(({ a, b }) => ({ from: Number(a), to: b === null ? null : Number(b) }));
    return waitingHours(spans, from, to, now);
  }
  if (condition.metric === "cost") return costs(rows, prices);
  return [...rows].map(({ hour, a, b }) => ({ hour: Number(hour), sum: Number(a), count: Number(b) }));
}

/** In the currency of the first price; what has no price, or another currency, is not counted. */
function costs(rows: Iterable<RuleRow>, prices: Prices): HourRow[] {
  const currency = Object.values(prices)[0]?.currency;
  const hours = new Map<number, HourRow>();
  for (const { hour, model, a, b } of rows) {
    const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
    if (!price || price.currency !== currency) continue;
    const row = hours.get(Number(hour)) ?? { hour: Number(hour), sum: 0, count: 0 };
    hours.set(row.hour, row);
    row.sum += (Number(a) * price.input + Number(b) * price.output) / 1_000_000;
    row.count += 1;
  }
  return [...hours.values()];
}

/** Failures are compared up to so many bytes of payloads in all. */
const MOST_BYTES = 8_000_000;

/** The kinds of failures of a tool, newest first. */
export function failuresSeen(rows: Iterable<EventRow>): { kind: string; at: number; agent: string | null }[] {
  const seen: { kind: string; at: number; agent: string | null }[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.payload.length;
    if (bytes > MOST_BYTES) break;
    const failure = failureOf(toEvent(row));
    if (!failure) continue;
    const kind = createHash("sha256").update(fingerprintOf(failure)).digest("base64");
    seen.push({ kind, at: row.occurred_at ?? row.recorded_at, agent: row.agent_id });
  }
  return seen;
}

export function failureHours({ condition, from }: RuleHours, seen: ReturnType<typeof failuresSeen>): HourRow[] {
  const { agent } = condition;
  return returnedHours(agent === undefined ? seen : seen.filter((failure) => failure.agent === agent), from);
}
