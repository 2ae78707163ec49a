import type { ToldSeries } from "../../../lib/rollup/counts.ts";
import { type CellRow, type OverviewQuery, overviewOf } from "../../../lib/rollup/overview.ts";
import { HOUR_MS } from "../../../lib/rollup/place.ts";
import { toolReportOf, toolsOf } from "../../../lib/rollup/tool-report.ts";
import { chooseVersions, type VersionPart, type VersionsQuery } from "../../../lib/rollup/versions.ts";
import type { Prices } from "../../../lib/session/prices.ts";
import { EVENT_COLUMNS } from "../../log/event-row.ts";
import { isIn, type Sql } from "../../queries/sql.ts";
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
import type { Connection } from "../connection.ts";
import { countUnrolled } from "./read-batch.ts";

const CALLED = "coalesce(conversations.title, conversations.summary ->> '$.subject')";

/** Failures of a tool, newest first; the histories of forks, which repeat them, have positions below 0. */
const FAILURES = `SELECT ${EVENT_COLUMNS.replace(/\w+/gu, "events.$&")}, ${CALLED} AS called, conversations.position AS place
  FROM events INDEXED BY failures JOIN conversations ON conversations.id = events.conversation_id
  WHERE events.error = 1 AND events.type = 'call.failed' AND events.tool = ? AND events.position >= 0
  ORDER BY events.position DESC LIMIT ${MOST_TOOL_FAILURES}`;

const STORAGE: RollupSql = {
  none: "x''",
  joined: (column) => `unhex(coalesce(group_concat(nullif(hex(${column}), ''), '0000'), ''))`,
  among: isIn,
};

export function readOverview(connection: Connection, query: OverviewQuery, prices: Prices): CountedOverview {
  // Before the rest: what is counted meanwhile is not missing.
  const behind = countUnrolled(connection);
  const { series, cells, ...told } = overviewReads(query, STORAGE);
  const overview = overviewOf(told, readSeries(connection, series), rows<CellRow>(connection, cells), prices);
  const { from, to } = overview;
  const hit = overview.findings.map(
    (finding) =>
      first<{ count: number }>(connection, countHit(finding, { ...query, from, to }, STORAGE.among))?.count ?? 0,
  );
  return { ...overview, hit, behind };
}

export function readTools(connection: Connection, query: OverviewQuery): Awaited<ReturnType<RollupStore["tools"]>> {
  const behind = countUnrolled(connection);
  const { series, cells, ...told } = toolReads(query, null, STORAGE);
  return { ...toolsOf(told, readSeries(connection, series), rows<CellRow>(connection, cells)), behind };
}

export function readTool(connection: Connection, name: string, query: OverviewQuery): CountedToolReport | null {
  const known = connection.prepare("SELECT 1 FROM rollup_series WHERE kind = 'call' AND tool = ? LIMIT 1").get(name);
  if (!known) return null;
  const behind = countUnrolled(connection);
  const { series, cells, ...told } = toolReads(query, name, STORAGE);
  const report = toolReportOf(name, told, readSeries(connection, series), rows<CellRow>(connection, cells));
  const span = { from: told.period.from * HOUR_MS, to: told.period.to * HOUR_MS };
  const asked = { ...query, ...span };
  const versions = new Map<number, Set<string>>();
  for (const { conversation, version } of rows<{ conversation: number; version: string }>(
    connection,
    failedVersions(name, asked, STORAGE.among),
  ))
    versions.set(conversation, (versions.get(conversation) ?? new Set()).add(version));
  const failures = failuresOf(connection, name);
  const slowest = rows<SlowestRow>(connection, slowestCalls(name, asked, STORAGE.among));
  return {
    ...report,
    ...errorGroupsOf(failures, versions, span),
    slowest: [...slowest].map(toSlowest),
    behind,
  };
}

/** Failures of a tool, newest first. */
export function failuresOf(connection: Connection, tool: string): IterableIterator<ToolFailureRow> {
  return connection.prepare<[string], ToolFailureRow>(FAILURES).iterate(tool);
}

export function readVersions(connection: Connection, query: VersionsQuery, prices: Prices): CountedVersions {
  const behind = countUnrolled(connection);
  const { period, rows: listed } = versionsOf(query);
  const versions = [...rows<VersionRow>(connection, listed)].map(toVersion);
  const answer = { from: period.from * HOUR_MS, to: period.to * HOUR_MS, versions, behind };
  const chosen = chooseVersions(versions, query);
  if (!chosen) return { ...answer, compared: null };
  const partsOf = (version: string) => [...rows<VersionPart>(connection, partsOfVersion(query.agent, version, period))];
  const { placed, name } = compareParts(
    chosen,
    { before: partsOf(chosen.before), after: partsOf(chosen.after) },
    prices,
  );
  const named = connection.prepare<[string], NamedRow>(
    `SELECT position AS place, id, title, summary FROM conversations
     WHERE position IN (SELECT value FROM json_each(?))`,
  );
  return { ...answer, compared: name(new Map(named.all(JSON.stringify(placed)).map((row) => [row.place, row]))) };
}

function readSeries(connection: Connection, wanted: Sql): Map<number, ToldSeries> {
  const found = rows<ToldSeries & { id: number }>(connection, wanted);
  return new Map([...found].map(({ id, ...series }) => [id, series]));
}

function rows<Row>(connection: Connection, { text, values }: Sql): IterableIterator<Row> {
  return connection.prepare<unknown[], Row>(text).iterate(...values);
}

function first<Row>(connection: Connection, { text, values }: Sql): Row | undefined {
  return connection.prepare<unknown[], Row>(text).get(...values);
}
