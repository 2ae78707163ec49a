import type { Connection } from "../connection.ts";

/** What is folded from the log, by what it is folded with. Never in another order: a database keeps their numbers. */
export const PROJECTIONS = ["messages", "standing", "conversations", "search"] as const;

/**
 * `standing` is what stands outside of its conversation: agents' state, confirmations, alerts. `search` is the index of
 * what events say, which the server fills by itself while it runs.
 */
export type Projection = (typeof PROJECTIONS)[number];

/** What a migration may owe: projections, and `file`, which is to be written anew because it has what was freed and not cleared. */
const DEBTS = [...PROJECTIONS, "file"] as const;
type Rebuild = (typeof DEBTS)[number];

const ALL: readonly Projection[] = ["messages", "standing", "conversations"];

/**
 * What is to be made anew after a migration, because it added to them or dropped them: on a large log each
 * takes minutes. A change of code that folds them otherwise is a migration with no statements and a line here.
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
  // Begins empty, and is filled behind the server's back.
  "0008_event_search": [],
  "0009_spans": [],
  "0010_access": [],
  // Rows of the list count errors, and know which decisions were not answered yet.
  "0011_errors": ["conversations"],
  // Filled by its own statement, once: no projection.
  "0012_bookmarks": [],
  // Filled behind the server's back.
  "0013_timeline_chunks": [],
  // Rows of the list know how the newest run ended, and what nobody has answered.
  "0014_how_it_ended": ["conversations"],
  // Older versions did not clear what they freed.
  "0015_secure_delete": ["file"],
  "0016_span_parts": [],
};

/** Notes what is owed, in the migration's own transaction, so that a start that is cut off is made good by the next. */
export function requireRebuild(connection: Connection, debts: Iterable<Rebuild>): void {
  save(connection, [...debtsOf(connection), ...debts]);
}

/** The projections that are to be made anew. */
export function pendingRebuilds(connection: Connection): Projection[] {
  const debts = debtsOf(connection);
  return PROJECTIONS.filter((name) => debts.includes(name));
}

/** Whether the file is to be written anew. */
export function needsFileRewrite(connection: Connection): boolean {
  return debtsOf(connection).includes("file");
}

/** What was owed of this was given. */
export function markRebuilt(connection: Connection, given: readonly Rebuild[]): void {
  save(
    connection,
    debtsOf(connection).filter((name) => !given.includes(name)),
  );
}

function debtsOf(connection: Connection): Rebuild[] {
  const bits = Number(connection.pragma("user_version", { simple: true }));
  return DEBTS.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1);
}

function save(connection: Connection, debts: readonly Rebuild[]): void {
  const bits = DEBTS.reduce((sum, name, bit) => sum + (debts.includes(name) ? 2 ** bit : 0), 0);
  connection.pragma(`user_version = ${bits}`);
}
