import type { Connection } from "../connection.ts";

/** The projections by name. */
export const PROJECTIONS = ["messages", "standing", "conversations", "search", "rollup"] as const;

/**
 * `standing` is the global projection: agent state, confirmations, alerts. `search` is the search index, and
 * `rollup` what all conversations add up to: the server fills them in the background.
 */
export type Projection = (typeof PROJECTIONS)[number];

/**
 * What a migration may require: projections, and `file`, to rewrite a file that has freed pages that were not cleared. Append
 * only: databases store their numbers.
 */
const REBUILDS = ["messages", "standing", "conversations", "search", "file", "rollup"] as const;
type Rebuild = (typeof REBUILDS)[number];

const ALL: readonly Projection[] = ["messages", "standing", "conversations"];

/**
 * What has to be rebuilt after a migration: on a large log each takes minutes. A code change that reduces events
 * differently is a migration without statements and a line here.
 */
export const MIGRATION_REBUILDS: Readonly<Record<string, readonly Rebuild[]>> = {
  "0000_tables": ALL,
  "0001_search": ALL,
  "0002_own_runs_and_confirmations": ALL,
  "0003_history_and_before": ALL,
  "0004_alerts": ALL,
  "0005_telegram": [],
  "0006_forks": ["conversations"],
  "0007_facets": [],
  // Starts empty and is filled in the background.
  "0008_event_search": [],
  "0009_spans": [],
  "0010_access": [],
  // Conversation rows count errors and have unanswered decisions.
  "0011_errors": ["conversations"],
  // Filled by its own statement: not a projection.
  "0012_bookmarks": [],
  // Filled in the background.
  "0013_timeline_chunks": [],
  // Conversation rows have the end of the newest run, and what is unanswered.
  "0014_how_it_ended": ["conversations"],
  // Older versions did not clear freed pages.
  "0015_secure_delete": ["file"],
  "0016_span_parts": [],
  "0017_failures": [],
  "0018_run_owners": [],
  // Starts empty and is filled in the background.
  "0019_rollups": [],
  "0020_ids_of_traces": [],
  // Not a projection.
  "0021_scores_and_queue": [],
  "0022_suites": [],
  "0023_notes": [],
  // Filled by its own statement; the rollup counts scores in the background.
  "0024_scores_in_rollup": [],
  // Filled by its own statement from the rollup.
  "0025_list_totals_and_views": [],
  "0026_judgements": [],
  "0027_alert_rules": [],
  // Older requests need one approval.
  "0028_two_people": [],
  // The migration counts them itself.
  "0029_hours_of_slices": [],
  "0030_list_by_scores": [],
  "0031_list_by_numbers": [],
  "0032_conditions_of_firings": [],
  // Those of older cases are filled in from their conversations, where these are still there.
  "0033_users_of_cases": [],
};

/** Records what is required, in the migration's transaction, so that an interrupted start is continued by the next. */
export function requireRebuild(connection: Connection, debts: Iterable<Rebuild>): void {
  save(connection, [...rebuildsOf(connection), ...debts]);
}

/** The projections to rebuild. */
export function pendingRebuilds(connection: Connection): Projection[] {
  const debts = rebuildsOf(connection);
  return PROJECTIONS.filter((name) => debts.includes(name));
}

/** Whether the file has to be rewritten. */
export function needsFileRewrite(connection: Connection): boolean {
  return rebuildsOf(connection).includes("file");
}

/** Marks it as done. */
export function markRebuilt(connection: Connection, given: readonly Rebuild[]): void {
  save(
    connection,
    rebuildsOf(connection).filter((name) => !given.includes(name)),
  );
}

function rebuildsOf(connection: Connection): Rebuild[] {
  const bits = Number(connection.pragma("user_version", { simple: true }));
  return REBUILDS.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1);
}

function save(connection: Connection, debts: readonly Rebuild[]): void {
  const bits = REBUILDS.reduce((sum, name, bit) => sum + (debts.includes(name) ? 2 ** bit : 0), 0);
  connection.pragma(`user_version = ${bits}`);
}
