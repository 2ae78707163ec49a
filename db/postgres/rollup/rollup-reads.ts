import type { ToldSeries } from "../../../lib/rollup/counts.ts";
import { type CellRow, type OverviewQuery, overviewOf } from "../../../lib/rollup/overview.ts";
import { HOUR_MS } from "../../../lib/rollup/place.ts";
import { toolReportOf, toolsOf } from "../../../lib/rollup/tool-report.ts";
import { chooseVersions, type VersionPart, type VersionsQuery } from "../../../lib/rollup/versions.ts";
import type { Prices } from "../../../lib/session/prices.ts";
import { EVENT_COLUMNS } from "../../log/event-row.ts";
import type { Sql } from "../../queries/sql.ts";
import {
  countHit,
  failedVersions,
  MOST_TOOL_FAILURES,
  overviewReads,
  type RollupSql,
  type SlowestRow,
  slowestCalls,
  toolReads,
  toSlowest,
} from "../../rollup/reads.ts";
import { errorGroupsOf, type ToolFailureRow } from "../../rollup/tool-errors.ts";
import {
  compareParts,
  type NamedRow,
  partsOfVersion,
  toVersion,
  type VersionRow,
  versionsOf,
} from "../../rollup/version-reads.ts";
import type { CountedOverview, CountedToolReport, CountedVersions, RollupStore } from "../../rollup.ts";
import type { Queries } from "../database.ts";
import { jsonIn } from "../queries/json-text.ts";
import { among, select } from "../queries/select.ts";
import { countUnrolled } from "./read-batch.ts";

const FAILURES = `SELECT ${EVENT_COLUMNS.replace(/\w+/gu, "events.$&")}, conversations.position AS place,
    coalesce(conversations.title, ${jsonIn("conversations.summary")} ->> 'subject') AS called
  FROM events JOIN conversations ON conversations.id = events.conversation_id
  WHERE events.error = 1 AND events.type = 'call.failed' AND events.tool = $1 AND events.position >= 0
  ORDER BY events.position DESC LIMIT ${MOST_TOOL_FAILURES}`;

const STORAGE: RollupSql = {
  none: "''::bytea",
  joined: (column) => `coalesce(string_agg(nullif(${column}, ''), '\\x0000'), '')`,
  among,
};

export async function readOverview(queries: Queries, query: OverviewQuery, prices: Prices): Promise<CountedOverview> {
  // Before the rest: what is counted meanwhile is not missing.
  const behind = await countUnrolled(queries);
  const { series, cells, ...told } = overviewReads(query, STORAGE);
  const [known, rows] = await Promise.all([readSeries(queries, series), select<CellRow>(queries, cells)]);
  const overview = overviewOf(told, known, rows, prices);
  const { from, to } = overview;
  const hit = await Promise.all(
    overview.findings.map(async (finding) => {
      const [row] = await select<{ count: number }>(queries, countHit(finding, { ...query, from, to }, STORAGE.among));
      return row?.count ?? 0;
    }),
  );
  return { ...overview, hit, behind };
}

export async function readTools(queries: Queries, query: OverviewQuery): ReturnType<RollupStore["tools"]> {
  const behind = await countUnrolled(queries);
  const { series, cells, ...told } = toolReads(query, null, STORAGE);
  const [known, rows] = await Promise.all([readSeries(queries, series), select<CellRow>(queries, cells)]);
  return { ...toolsOf(told, known, rows), behind };
}

export async function readTool(
  queries: Queries,
  name: string,
  query: OverviewQuery,
): Promise<CountedToolReport | null> {
  const found = await queries.rows("SELECT 1 FROM rollup_series WHERE kind = 'call' AND tool = $1 LIMIT 1", [name]);
  if (found.length === 0) return null;
  const behind = await countUnrolled(queries);
  const { series, cells, ...told } = toolReads(query, name, STORAGE);
  const span = { from: told.period.from * HOUR_MS, to: told.period.to * HOUR_MS };
  const asked = { ...query, ...span };
  const [known, rows, failed, failures, slowest] = await Promise.all([
    readSeries(queries, series),
    select<CellRow>(queries, cells),
    select<{ conversation: number; version: string }>(queries, failedVersions(name, asked, STORAGE.among)),
    failuresOf(queries, name),
    select<SlowestRow>(queries, slowestCalls(name, asked, STORAGE.among)),
  ]);
  const versions = new Map<number, Set<string>>();
  for (const { conversation, version } of failed)
    versions.set(conversation, (versions.get(conversation) ?? new Set()).add(version));
  return {
    ...toolReportOf(name, told, known, rows),
    ...errorGroupsOf(failures, versions, span),
    slowest: slowest.map(toSlowest),
    behind,
  };
}

/** Failures of a tool, newest first. */
export function failuresOf(queries: Queries, tool: string): Promise<ToolFailureRow[]> {
  return queries.rows<ToolFailureRow>(FAILURES, [tool]);
}

export async function readVersions(queries: Queries, query: VersionsQuery, prices: Prices): Promise<CountedVersions> {
  const behind = await countUnrolled(queries);
  const { period, rows } = versionsOf(query);
  const versions = (await select<VersionRow>(queries, rows)).map(toVersion);
  const answer = { from: period.from * HOUR_MS, to: period.to * HOUR_MS, versions, behind };
  const chosen = chooseVersions(versions, query);
  if (!chosen) return { ...answer, compared: null };
  const partsOf = (version: string) => select<VersionPart>(queries, partsOfVersion(query.agent, version, period));
  const [before, after] = await Promise.all([partsOf(chosen.before), partsOf(chosen.after)]);
  const { placed, name } = compareParts(chosen, { before, after }, prices);
  const named = await queries.rows<NamedRow>(
    "SELECT position AS place, id, title, summary FROM conversations WHERE position = ANY($1)",
    [placed],
  );
  return { ...answer, compared: name(new Map(named.map((row) => [row.place, row]))) };
}

async function readSeries(queries: Queries, wanted: Sql): Promise<Map<number, ToldSeries>> {
  const rows = await select<ToldSeries & { id: number }>(queries, wanted);
  return new Map(rows.map(({ id, ...series }) => [id, series]));
}
