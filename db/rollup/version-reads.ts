import { type Period, periodOf } from "../../lib/rollup/overview.ts";
import { cellId, HOUR_MS } from "../../lib/rollup/place.ts";
import { compareVersions, type VersionPart, type VersionShare, type VersionsQuery } from "../../lib/rollup/versions.ts";
import type { Prices } from "../../lib/session/prices.ts";
import { type Sql, sql } from "../queries/sql.ts";
import type { CountedVersions } from "../rollup.ts";
import { HOUR_OF_CELL, SERIES_OF_CELL } from "./reads.ts";

/** Versions that are listed. */
const MOST_VERSIONS = 100;
/**
 * The newest conversations of a version that are compared: with 10,000 a share is within 1 %, and reading their parts takes 0.1 s of
 * a reader thread.
 */
export const MOST_COMPARED = 10_000;

export interface VersionRow extends Omit<VersionShare, "first" | "last"> {
  first: number;
  last: number;
}

/**
 * The versions of an agent in a period, the newest first; the hours are those since 1970. `CROSS JOIN`: SQLite reads the cells once,
 * not once for each series of the agent.
 */
export function versionsOf({ agent, ...query }: VersionsQuery): { period: Period; rows: Sql } {
  const period = periodOf(query);
  const { grain, from, to } = period;
  return {
    period,
    rows: sql`SELECT version, CAST(sum(began) AS bigint) AS conversations, CAST(sum(count) AS bigint) AS turns,
        min(${HOUR_OF_CELL}) AS first, max(${HOUR_OF_CELL}) AS last
      FROM rollup_cells CROSS JOIN rollup_series
      WHERE rollup_series.id = ${SERIES_OF_CELL} AND rollup_cells.id >= ${cellId(grain, false, from, 0)} AND rollup_cells.id < ${cellId(grain, false, to, 0)}
        AND cut = 'version' AND kind = 'turn' AND agent = ${agent} AND version <> '' AND count > 0
      GROUP BY version ORDER BY first DESC, version DESC LIMIT ${MOST_VERSIONS}`,
  };
}

export function toVersion({ first, last, ...row }: VersionRow): VersionShare {
  return { ...row, first: first * HOUR_MS, last: last * HOUR_MS };
}

/**
 * What the newest conversations of a version did with it; one more than are compared tells that there are more. Most parts are of
 * calls that did not fail, which are not compared.
 */
export function partsOfVersion(agent: string, version: string, { from, to }: Pick<Period, "from" | "to">): Sql {
  const series = sql`SELECT id FROM rollup_series WHERE cut = 'full' AND agent = ${agent} AND version = ${version}`;
  return sql`SELECT conversation, kind, model, channel, count, failed, escalated, input_tokens, output_tokens, unreported,
      score_sum, score, CASE WHEN kind = 'turn' THEN durations END AS durations
    FROM rollup_parts JOIN rollup_series ON rollup_series.id = rollup_parts.series
    WHERE series IN (${series}) AND hour >= ${from} AND hour < ${to} AND (kind <> 'call' OR failed > 0) AND conversation IN (
      SELECT conversation FROM rollup_parts WHERE series IN (${series} AND kind = 'turn') AND hour >= ${from} AND hour < ${to}
        AND count > 0 GROUP BY conversation ORDER BY conversation DESC LIMIT ${MOST_COMPARED + 1})
    ORDER BY conversation DESC`;
}

/** Compares what was read of two versions; `placed` are the conversations to name. */
export function compareParts(
  versions: { before: string; after: string },
  parts: { before: readonly VersionPart[]; after: readonly VersionPart[] },
  prices: Prices,
): { placed: number[]; name: (names: ReadonlyMap<number, NamedRow>) => CountedVersions["compared"] } {
  const [before, after] = [newestOf(parts.before), newestOf(parts.after)];
  const { differing, ...compared } = compareVersions(before.parts, after.parts, prices);
  return {
    placed: differing.flatMap(({ conversation, beside }) =>
      beside === null ? [conversation] : [conversation, beside],
    ),
    name(names) {
      const named = (place: number | null) => {
        const row = place === null ? undefined : names.get(place);
        return row ? { id: row.id, name: row.title ?? JSON.parse(row.summary).subject ?? null } : null;
      };
      return {
        ...compared,
        versions,
        cut: before.cut || after.cut,
        differing: differing.flatMap(({ conversation, beside, ...rest }) => {
          const found = named(conversation);
          return found ? [{ ...rest, conversation: found, beside: named(beside) }] : [];
        }),
      };
    },
  };
}

/** Without the conversation that only tells that there are more. */
function newestOf(parts: readonly VersionPart[]): { parts: readonly VersionPart[]; cut: boolean } {
  const all = new Set(parts.map(({ conversation }) => conversation));
  if (all.size <= MOST_COMPARED) return { parts, cut: false };
  const last = parts.at(-1)?.conversation;
  return { parts: parts.filter(({ conversation }) => conversation !== last), cut: true };
}

export interface NamedRow {
  place: number;
  id: string;
  title: string | null;
  summary: string;
}
