import { BY_ACTIVITY, type Direction } from "../../lib/rollup/totals.ts";
import { summarizeScores } from "../../lib/scores/score.ts";
import type { ForkMode } from "../../lib/session/events/catalogue.ts";
import type { ConversationStatus, Summary } from "../../lib/session/session.ts";
import { shownStatusOf, statusOf } from "../../lib/session/summary/summary.ts";
import type { Conversation, ConversationQuery, Facets } from "../repositories.ts";
import { happenedIn, hasHappened, partsWhere } from "../rollup/reads.ts";
import type { Happened } from "../rollup.ts";
import { toMs } from "../times.ts";
import type { Cursor } from "./cursor.ts";
import { isInOrder, type Plan, WALKED_FOR_ROW } from "./plan.ts";
import { assignedTo, listedItem, queuedIn, taggedWith } from "./queue-row.ts";
import { listedScores, scoredBy } from "./score-row.ts";
import { type Among, and, areFew, isIn, type Sql, sql } from "./sql.ts";
import { listedTotals } from "./totals.ts";

/** What a row of the list is made of. */
export interface ConversationRow {
  id: string;
  summary: string;
  fork_count: number;
  fork_mode: ForkMode | null;
  note_count: number;
  /** See `listedItem`. */
  queue: string | null;
  /** See `listedScores`. */
  scores: string | null;
  /** See `listedTotals`. */
  totals: string | null;
}

/** The list's order: last activity, newest first or the reverse of that, then by id. */
export type ActivityKey = readonly [updatedAt: number, id: string];

/** The sort key of that order. */
export function keyedByActivity({ direction = "desc" }: Pick<ByActivity, "direction">) {
  return {
    list: ["conversations", "updated", direction],
    isKey: (parts: readonly unknown[]): parts is ActivityKey =>
      parts.length === 2 && Number.isSafeInteger(parts[0]) && typeof parts[1] === "string",
    keyOf: (conversation: Conversation): ActivityKey => [toMs(conversation.updated_at), conversation.id],
  };
}

/** The expression keeps a storage from reading all rows in the order of an index, where matches are to be gathered. */
function orderOf(cursor: Cursor<ActivityKey> | null, direction: Direction, plan: Plan): Sql {
  const time = { text: isInOrder(plan) ? "updated_at" : "updated_at + 0", values: [] };
  return isReversed(cursor, direction) ? sql`${time}, id DESC` : sql`${time} DESC, id`;
}

/** What a page by last activity is made of. */
export interface ByActivity {
  columns: string;
  direction: Direction | undefined;
  /** The conditions on conversations. */
  filter: (plan: Plan) => Sql;
}

/** The last activity up to which a page is looked for in its order; none: all of the list. */
export function activityWalked(
  { direction = "desc" }: Pick<ByActivity, "direction">,
  cursor: Cursor<ActivityKey> | null,
  limit: number,
): Sql {
  return sql`SELECT updated_at AS value FROM conversations WHERE ${cursor ? beyondActivity(cursor, direction) : sql`true`}
    ORDER BY ${orderOf(cursor, direction, "walk")} LIMIT 1 OFFSET ${limit * WALKED_FOR_ROW}`;
}

/** The rows of a page by last activity; `end`: up to which it is looked for. */
export function rowsByActivity(
  { columns, direction = "desc", filter }: ByActivity,
  cursor: Cursor<ActivityKey> | null,
  { limit, plan, end }: { limit: number; plan: Plan; end: number | null },
): Sql {
  const within =
    end === null ? null : isReversed(cursor, direction) ? sql`updated_at <= ${end}` : sql`updated_at >= ${end}`;
  return sql`SELECT ${{ text: columns, values: [] }} FROM (
      SELECT position AS place FROM conversations
      WHERE ${and(filter(plan), cursor && beyondActivity(cursor, direction), within)}
      ORDER BY ${orderOf(cursor, direction, plan)} LIMIT ${limit}) AS page
    JOIN conversations ON conversations.position = page.place ORDER BY ${orderOf(cursor, direction, "walk")}`;
}

function beyondActivity(cursor: Cursor<ActivityKey>, direction: Direction): Sql {
  const [updatedAt, id] = cursor.key;
  return isReversed(cursor, direction)
    ? sql`updated_at >= ${updatedAt} AND (updated_at > ${updatedAt} OR id < ${id})`
    : sql`updated_at <= ${updatedAt} AND (updated_at < ${updatedAt} OR id > ${id})`;
}

function isReversed(cursor: Cursor<ActivityKey> | null, direction: Direction): boolean {
  return (direction === "asc") !== (cursor?.direction === "prev");
}

/**
 * The conditions of the list's filters; `plus` stands before columns that have an index which should not be used. `place`: the
 * position of a conversation in the index of the list's order; `queued`: how those of a tag or an owner are found.
 */
export function filtersOf(
  query: ConversationQuery,
  plan: Plan,
  among: Among,
  plus: "+" | "",
  place = "position",
  queued: Among = isIn,
): (Sql | null)[] {
  const { channel, status, stage, agent_id, from, to, forked_from, score, queue, assignee, tag, happened } = query;
  const equals = (column: string, value: string | undefined) =>
    value === undefined ? null : sql`${{ text: `${plus}${column}`, values: [] }} = ${value}`;
  return [
    equals("channel", channel),
    equals("status", status),
    equals("stage", stage),
    equals("agent_id", agent_id),
    from === undefined ? null : sql`updated_at >= ${toMs(from)}`,
    to === undefined ? null : sql`updated_at < ${toMs(to)}`,
    forked_from === undefined ? null : sql`forked_from = ${forked_from}`,
    queue === undefined ? null : queuedIn(queue),
    assignee === undefined ? null : assignedTo(assignee, queued),
    tag === undefined ? null : taggedWith(tag, queued),
    score === undefined ? null : scoredBy(score, plan === "scored" ? among : null),
    happened === undefined
      ? null
      : plan === "gather" && placePlus(query, plan) === ""
        ? happenedIn(happened, among, "position")
        : plan === "sift" || plan === "scan"
          ? happenedIn(happened, among, `+${place}`)
          : hasHappened(happened),
  ];
}

/**
 * What stands before a position that is among some: with both, SQLite would look for each id that is among the queue's at each
 * of these positions, which took three seconds for 1,000 and 10,000.
 */
export function placePlus({ queue, assignee, tag }: ConversationQuery, plan: Plan): "+" | "" {
  return plan === "scored" || [queue, assignee, tag].some((filter) => filter !== undefined) ? "+" : "";
}

/** Whether matches are found by what happened, and by no filter that has few: the queue, forks, or failures of one kind. */
export function isFoundByParts(query: ConversationQuery): boolean {
  const { happened, error, forked_from } = query;
  return happened !== undefined && !error && forked_from === undefined && placePlus(query, "gather") === "";
}

/**
 * Whether something happened in few of the parts of conversations, 1 or 0. So many are found in 10 ms, and all of a million sifted
 * in 80.
 */
export function areFewParts(happened: Happened, limit: number, among: Among): Sql {
  return areFew(sql`rollup_parts WHERE ${partsWhere(happened, among)}`, limit * WALKED_FOR_ROW);
}

/** Whether matches can be found by another filter than ranges and scores. */
function isNarrowed({ score: _score, ...query }: ConversationQuery): boolean {
  return query.error !== undefined || filtersOf(query, "walk", () => sql`false`, "").some((filter) => filter !== null);
}

/** Whether what is asked is in the indexes of conversations. */
function isByColumns({ channel, status, stage, agent_id, from, to }: ConversationQuery): boolean {
  return [channel, status, stage, agent_id, from, to].some((filter) => filter !== undefined);
}

/** How matches are gathered where a walk has not found a page of them. */
export function gatherPlan(
  query: ConversationQuery,
  few: { scores: boolean; ranges: boolean; happened: boolean },
): Plan {
  if (few.scores) return "scored";
  if (few.ranges) return "ranged";
  const { sort = BY_ACTIVITY } = query;
  if (!few.happened) return sort.by !== "updated" && isByColumns(query) ? "scan" : "sift";
  if (isNarrowed(query)) return "gather";
  // Where most of the list may match, its order is followed; totals alone are all in one table, which is read in 0.1 s.
  return query.score !== undefined || !isByTotals(query) ? "walk" : "gather";
}

function isByTotals({ sort = BY_ACTIVITY }: ConversationQuery): boolean {
  return sort.by !== "updated" && sort.by !== "score";
}

/** Of each filter so many values are told, the most used first: programs make up as many as they like. */
const MOST_VALUES = 100;

/** How many conversations have the same of what the list is filtered by. */
export interface FacetGroup {
  status: ConversationStatus;
  channel: string | null;
  stage: string | null;
  agent_id: string | null;
  count: number;
}

export const FACET_GROUPS = `SELECT status, channel, stage, agent_id, count(*) AS count FROM conversations
  GROUP BY status, channel, stage, agent_id`;

/** What the filters can take, and how many conversations there are of each status. */
export function facetsOf(groups: Iterable<FacetGroup>, pending: Pick<Facets, "awaiting" | "alerts">): Facets {
  const statuses = { idle: 0, running: 0, waiting: 0, escalated: 0, failed: 0 };
  const used = {
    channels: new Map<string, number>(),
    stages: new Map<string, number>(),
    agents: new Map<string, number>(),
  };
  let total = 0;
  for (const { status, channel, stage, agent_id, count } of groups) {
    total += count;
    statuses[status] += count;
    add(used.channels, channel, count);
    add(used.stages, stage, count);
    add(used.agents, agent_id, count);
  }
  const beyond = (values: Map<string, number>) => Math.max(0, values.size - MOST_VALUES);
  return {
    total,
    ...pending,
    statuses,
    channels: mostUsed(used.channels),
    stages: mostUsed(used.stages),
    agents: mostUsed(used.agents),
    more: { channels: beyond(used.channels), stages: beyond(used.stages), agents: beyond(used.agents) },
  };
}

function add(values: Map<string, number>, value: string | null, count: number): void {
  if (value !== null) values.set(value, (values.get(value) ?? 0) + count);
}

function mostUsed(values: Map<string, number>): string[] {
  return [...values]
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .slice(0, MOST_VALUES)
    .map(([value]) => value);
}

/** A row of the list as it is shown. */
export function toConversation(row: ConversationRow): Conversation {
  const summary: Summary = JSON.parse(row.summary);
  const {
    open_runs: _openRuns,
    open_calls: _openCalls,
    awaiting: _awaiting,
    escalated: _escalated,
    newest_run: _newestRun,
    simulated: _simulated,
    ended: _ended,
    asked: _asked,
    untouched: _untouched,
    failures,
    unanswered,
    created_at,
    updated_at,
    ...shown
  } = summary;
  if (created_at === null || updated_at === null) throw new Error(`The conversation ${row.id} has a row but no event`);
  return {
    id: row.id,
    status: statusOf(summary),
    shown_status: shownStatusOf(summary),
    ...shown,
    error_count: failures.count,
    unanswered: unanswered.at(-1)?.decision ?? null,
    created_at,
    updated_at,
    fork_count: row.fork_count,
    fork_mode: row.fork_mode,
    note_count: row.note_count,
    queue: listedItem(row.queue),
    scores: summarizeScores(listedScores(row.scores)),
    ...listedTotals(row.totals),
  };
}
