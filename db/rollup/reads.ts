import { NUMBERS, type SeriesKind } from "../../lib/rollup/counts.ts";
import type { Finding } from "../../lib/rollup/findings.ts";
import { DIMENSIONS, type OverviewQuery, type Period, periodOf, type Told } from "../../lib/rollup/overview.ts";
import { cellId, DAY_HOURS, dayOf, type Grain, HOUR_MS, HOURS, SERIES } from "../../lib/rollup/place.ts";
import { SCORE_UNITS, scoreSeries } from "../../lib/rollup/score-parts.ts";
import { isNumber, type ScoreFilter } from "../../lib/scores/score.ts";
import { type Among, and, isIn, type Sql, sql } from "../queries/sql.ts";
import type { Happened } from "../rollup.ts";

const plain = (text: string): Sql => ({ text, values: [] });

/** The hour and the series in the id of a cell: see `cellId`. */
export const SERIES_OF_CELL = plain(`(rollup_cells.id % ${SERIES})`);
export const HOUR_OF_CELL = plain(`(rollup_cells.id / ${SERIES} % ${HOURS})`);

/** In the order of `CellRow`. */
const COUNTED_COLUMNS = plain(`${NUMBERS.join(", ")}, durations, waits`);

/** How a storage reads the rollup. */
export interface RollupSql {
  /** No sketch. */
  none: string;
  /** The sketches of a column of a group of rows, one after the other: see `decodeTo`. */
  joined: (column: string) => string;
  among: Among;
}

/** What is read for an overview: the series and their cells, in a period. */
export function overviewReads(query: OverviewQuery, storage: RollupSql): Reads & Told {
  const named = and(...DIMENSIONS.map((dimension) => equals(dimension, query[dimension])));
  const [dimension, ...more] = DIMENSIONS.filter((dimension) => query[dimension] !== undefined);
  if (dimension === undefined) {
    const wanted = sql`cut = 'version' OR (cut <> 'full' AND kind = 'turn')`;
    return { ...readsOf(periodOf(query), false, wanted), whole: "version", versions: "version" };
  }
  const isOfVersions = [dimension, ...more].every((one) => one === "agent" || one === "version");
  const isOne = dimension === "model" || dimension === "channel" || dimension === "stage";
  const one = isOne && more.length === 0 ? dimension : null;
  const period = periodOf(query, isOfVersions || one !== null ? "cells" : "parts");
  if (period.grain === "day")
    return { ...readsOf(period, true, and(sql`cut = 'full'`, named)), whole: "full", versions: "full" };
  if (isOfVersions) return readsOfVersions(period, named, storage);
  return one === null ? readsOfSlice(period, named, storage) : readsOfOne(period, one, named, storage);
}

/** An agent's hours are those of its versions, which are few cells. Its models, channels and stages have no hours. */
function readsOfVersions(period: Period, named: Sql, { among }: RollupSql): Reads & Told {
  const versions = and(sql`cut = 'version'`, named);
  const places = and(sql`cut = 'full'`, sql`kind = 'turn'`, named);
  return {
    ...{ period, whole: "version", versions: "version" },
    series: seriesOf(sql`(${versions}) OR (${places})`),
    cells: all(cellsIn("hour", false, period.before, period.to, versions), ...wholeDays(period, places, among)),
  };
}

/** A model, a channel or a stage has hours of its own. What was in it has none; when its versions came is read from theirs. */
function readsOfOne(
  period: Period,
  dimension: "model" | "channel" | "stage",
  named: Sql,
  { among }: RollupSql,
): Reads & Told {
  const { before, from, to } = period;
  const hours = and(sql`cut = ${dimension}`, named);
  const places = and(sql`cut = 'full'`, sql`kind <> 'model'`, named);
  const versions = sql`cut = 'version' AND kind = 'turn'`;
  return {
    ...{ period, whole: dimension, versions: "full" },
    series: seriesOf(sql`(${hours}) OR (${places}) OR (${versions})`),
    cells: all(
      cellsIn("hour", false, before, to, hours),
      cellsIn("hour", false, from, to, versions),
      ...wholeDays(period, places, among),
    ),
  };
}

/**
 * A slice by more than that has no hours of its own: parts are summed up while they are read, so that few rows come out of many. How
 * long over time is told of turns only. What was in it is read by day.
 */
function readsOfSlice(period: Period, named: Sql, { none, joined, among }: RollupSql): Reads & Told {
  const wanted = and(sql`cut = 'full'`, named);
  return {
    ...{ period, whole: "slice", versions: "full" },
    series: withSlices(wanted),
    cells: all(
      sumsIn(period, and(wanted, sql`kind = 'turn'`), joined, among),
      sumsIn(period, and(wanted, sql`kind <> 'turn'`), () => none, among),
      ...wholeDays(period, and(wanted, sql`kind <> 'model'`), among),
    ),
  };
}

/** What has no hours: whole days are read as cells, and the ends of a period as parts. */
function wholeDays({ before, from, to }: Period, wanted: Sql, among: Among): Sql[] {
  return [
    { begin: before, end: from },
    { begin: from, end: to },
  ].flatMap(({ begin, end }) => {
    const days = { begin: dayOf(begin + DAY_HOURS - 1), end: dayOf(end) };
    if (days.begin >= days.end) return [partsIn(begin, end, wanted, among)];
    return [
      partsIn(begin, days.begin, wanted, among),
      cellsIn("day", true, days.begin, days.end, wanted),
      partsIn(days.end, end, wanted, among),
    ];
  });
}

function all(first: Sql, ...more: Sql[]): Sql {
  return more.reduce((cells, next) => sql`${cells} UNION ALL ${next}`, first);
}

/** The same for the calls of a tool; null: of all tools. Those of an agent are those of its versions, which are few cells. */
export function toolReads(
  query: OverviewQuery,
  tool: string | null,
  { none, among }: RollupSql,
): Reads & Omit<Told, "versions"> {
  const filters = DIMENSIONS.map((dimension) => equals(dimension, query[dimension]));
  const isFull = [query.model, query.channel, query.stage].some((name) => name !== undefined);
  const cut = isFull ? sql`cut = 'full'` : sql`cut = 'version'`;
  const period = periodOf(query, isFull ? "parts" : "cells");
  const wanted = and(sql`kind = 'call'`, cut, tool === null ? null : sql`tool = ${tool}`, ...filters);
  if (!isFull || period.grain === "day")
    return { ...readsOf(period, isFull, wanted), whole: isFull ? "full" : "version" };
  return {
    ...{ period, whole: "slice" },
    series: withSlices(wanted),
    cells: all(
      sumsIn(period, wanted, () => none, among),
      ...wholeDays(period, wanted, among),
    ),
  };
}

interface Reads {
  period: Period;
  series: Sql;
  cells: Sql;
}

function readsOf(period: Period, isFull: boolean, wanted: Sql): Reads {
  const { grain, before, to } = period;
  return { period, series: seriesOf(wanted), cells: cellsIn(grain, isFull, before, to, wanted) };
}

function seriesOf(wanted: Sql): Sql {
  return sql`SELECT id, cut, ${SERIES_NAMES} FROM rollup_series WHERE ${wanted}`;
}

const SERIES_NAMES = plain("kind, agent, version, model, channel, stage, tool, score");

/** Full series, and once more with numbers below 0, for what only tells what happened when: see `ToldSeries`. */
function withSlices(wanted: Sql): Sql {
  return sql`${seriesOf(wanted)} UNION ALL SELECT -id, 'slice', ${SERIES_NAMES} FROM rollup_series WHERE ${wanted}`;
}

/** Sums of the parts of each hour and series, which come in the order of their key. */
function sumsIn({ before, to }: Period, wanted: Sql, sketch: RollupSql["joined"], among: Among): Sql {
  const sums = NUMBERS.map((name) => `CAST(sum(${name}) AS bigint) AS ${name}`).join(", ");
  const sketches = ["durations", "waits"].map((name) => `${sketch(name)} AS ${name}`).join(", ");
  return sql`SELECT hour, -series AS series, ${plain(`${sums}, ${sketches}`)} ${partsOf(before, to, wanted, among)}
    GROUP BY rollup_parts.series, hour`;
}

function partsIn(begin: number, end: number, wanted: Sql, among: Among): Sql {
  return sql`SELECT hour, series, ${COUNTED_COLUMNS} ${partsOf(begin, end, wanted, among)}`;
}

function partsOf(begin: number, end: number, wanted: Sql, among: Among): Sql {
  return sql`FROM rollup_parts
    WHERE ${among("series", sql`SELECT id FROM rollup_series WHERE ${wanted}`)} AND hour >= ${begin} AND hour < ${end}`;
}

function cellsIn(grain: Grain, isFull: boolean, begin: number, end: number, wanted: Sql): Sql {
  return sql`SELECT ${HOUR_OF_CELL} AS hour, ${SERIES_OF_CELL} AS series, ${COUNTED_COLUMNS} FROM rollup_cells
    WHERE id >= ${cellId(grain, isFull, begin, 0)} AND id < ${cellId(grain, isFull, end, 0)}
      AND ${SERIES_OF_CELL} IN (SELECT id FROM rollup_series WHERE ${wanted})`;
}

/** Conversations in which something happened, which are found first; `place`: their position. */
export function happenedIn(happened: Happened, among: Among, place: string): Sql {
  return among(place, sql`SELECT conversation FROM rollup_parts WHERE ${partsWhere(happened, among)}`);
}

/** The same where conversations are given one after the other. */
export function hasHappened(happened: Happened): Sql {
  return sql`EXISTS (SELECT 1 FROM rollup_parts WHERE rollup_parts.conversation = conversations.position
    AND ${partsWhere(happened)})`;
}

/** How many conversations of an overview a finding is about. */
export function countHit(finding: Finding, { from, to, ...narrowed }: OverviewQuery, among: Among): Sql {
  const hit = {
    what: whatOf(finding.kind),
    since: finding.since ?? from,
    until: to,
    ...narrowed,
    ...(finding.agent !== null && { agent: finding.agent }),
    ...(finding.version !== null && { version: finding.version }),
    ...(finding.tool !== null && { tool: finding.tool }),
  };
  return sql`SELECT count(DISTINCT conversation) AS count FROM rollup_parts WHERE ${partsWhere(hit, among)}`;
}

/** What the conversations of a finding have in common. */
export function whatOf(kind: Finding["kind"]): Happened["what"] {
  switch (kind) {
    case "tool_failed":
      return "failed_call";
    case "turns_failed":
    case "fewer_failed":
      return "failed_turn";
    case "escalated":
      return "escalated";
    case "slower":
    case "faster":
      return "turn";
    default:
      return kind satisfies never;
  }
}

/** Which parts of conversations are those in which something happened. */
export function partsWhere({ what, since, until, longer_than, score, ...series }: Happened, among: Among = isIn): Sql {
  const { kind, condition } = COUNTED[what];
  const { agent, version, model, channel, stage, tool } = series;
  const names = { agent, version, model, channel, stage, tool };
  const filters = ([...DIMENSIONS, "tool"] as const).map((name) => equals(name, names[name]));
  return and(
    among(
      "series",
      sql`SELECT id FROM rollup_series WHERE ${and(sql`cut = 'full'`, sql`kind = ${kind}`, ...filters, score ? isScored(score) : null)}`,
    ),
    score ? answered(score, among) : null,
    since === undefined ? null : sql`hour >= ${Math.floor(since / HOUR_MS)}`,
    until === undefined ? null : sql`hour < ${Math.ceil(until / HOUR_MS)}`,
    plain(condition),
    longer_than === undefined ? null : sql`longest > ${longer_than}`,
  );
}

const COUNTED: Record<Happened["what"], { kind: SeriesKind; condition: string }> = {
  began: { kind: "turn", condition: "began > 0" },
  turn: { kind: "turn", condition: "count > 0" },
  failed_turn: { kind: "turn", condition: "failed > 0" },
  escalated: { kind: "turn", condition: "escalated > 0" },
  approval: { kind: "turn", condition: "octet_length(waits) > 0" },
  call: { kind: "call", condition: "count > 0" },
  failed_call: { kind: "call", condition: "failed > 0" },
  cost: { kind: "model", condition: "input_tokens + output_tokens > 0" },
  scored: { kind: "score", condition: "count > 0" },
};

function equals(name: (typeof DIMENSIONS)[number] | "tool", value: string | undefined): Sql | null {
  return value === undefined ? null : sql`${plain(name)} = ${value}`;
}

/**
 * The series in which such scores are counted: numbers, yes or no, and categories. ">" is the character after "=". One of numbers
 * counts all of its name, whatever they are compared with.
 */
function isScored({ name, is }: ScoreFilter): Sql {
  if (!is) return sql`score = ${name} OR (score >= ${`${name}=`} AND score < ${`${name}>`})`;
  const category = scoreSeries(name, "category", is.value);
  const isCategory = is.value !== "true" && is.value !== "false" && !isNumber(is.value);
  return isCategory
    ? sql`score = ${category}`
    : sql`score IN (${name}, ${scoreSeries(name, "boolean", is.value)}, ${category})`;
}

/** Of yes or no, the parts in which there is such an answer; null: any will do. */
function answered({ name, is }: ScoreFilter, among: Among): Sql | null {
  if (is?.operator !== "=") return null;
  if (is.value === "false") return sql`score_sum < count * ${SCORE_UNITS}`;
  if (is.value !== "true") return null;
  const category = sql`SELECT id FROM rollup_series WHERE score = ${scoreSeries(name, "category", is.value)}`;
  return sql`score_sum > 0 OR ${among("series", category)}`;
}

/** Failures of a tool that are grouped at most, the newest: 1,000 take 20 ms of a reader thread. */
export const MOST_TOOL_FAILURES = 2_000;

/** Which versions have failed calls of a tool in a period, by conversation. */
export function failedVersions(tool: string, { from, to, ...narrowed }: OverviewQuery, among: Among): Sql {
  const failed = partsWhere({ what: "failed_call", tool, since: from, until: to, ...narrowed }, among);
  return sql`SELECT DISTINCT conversation, version FROM rollup_parts JOIN rollup_series ON rollup_series.id = rollup_parts.series
    WHERE ${failed}`;
}

/** The longest calls of a tool in a period, the longest of each conversation and hour. */
export function slowestCalls(tool: string, { from, to, ...narrowed }: OverviewQuery, among: Among): Sql {
  const parts = partsWhere({ what: "call", tool, since: from, until: to, ...narrowed }, among);
  return sql`SELECT id, title, summary, longest, longest_seq FROM
    (SELECT conversation, longest, longest_seq FROM rollup_parts WHERE ${parts} AND longest > 0
      ORDER BY longest DESC, conversation LIMIT ${SLOWEST}) AS slowest
    JOIN conversations ON position = conversation ORDER BY longest DESC, position`;
}

/** The longest calls that are told. */
const SLOWEST = 6;

export interface SlowestRow {
  id: string;
  title: string | null;
  summary: string;
  longest: number;
  longest_seq: number;
}

export function toSlowest({ id, title, summary, longest, longest_seq }: SlowestRow) {
  return { conversation_id: id, name: title ?? JSON.parse(summary).subject, seq: longest_seq, took: longest };
}
