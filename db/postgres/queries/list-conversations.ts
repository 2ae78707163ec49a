import { BY_ACTIVITY } from "../../../lib/rollup/totals.ts";
import {
  type ActivityKey,
  activityWalked,
  areFewParts,
  type ByActivity,
  type ConversationRow,
  filtersOf,
  gatherPlan,
  isFoundByParts,
  keyedByActivity,
  rowsByActivity,
  toConversation,
} from "../../queries/conversation-row.ts";
import { type RemoteKeyset, readRemotePage } from "../../queries/cursor.ts";
import { isInOrder, type Plan } from "../../queries/plan.ts";
import { QUEUE_COLUMNS } from "../../queries/queue-row.ts";
import { areFewScores, LISTED_SCORES_FROM } from "../../queries/score-row.ts";
import { and, isIn, type Sql, sql } from "../../queries/sql.ts";
import {
  areFewWithin,
  keyedBy,
  needsTotals,
  type Sorted,
  type SortedEnd,
  type SortedKey,
  type SortedRow,
  sortedRows,
  TOTAL_COLUMNS,
  totalsWalked,
  withBehind,
  within,
} from "../../queries/totals.ts";
import type { Conversation, ConversationPage, ConversationQuery } from "../../repositories.ts";
import { happenedIn, hasHappened, partsWhere } from "../../rollup/reads.ts";
import { failedPlaces, isAt } from "../../rollup/tool-errors.ts";
import type { Happened } from "../../rollup.ts";
import type { Queries } from "../database.ts";
import { countDue, countUnrolled } from "../rollup/read-batch.ts";
import { failuresOf } from "../rollup/rollup-reads.ts";
import { jsonIn } from "./json-text.ts";
import { among, raw, select } from "./select.ts";

/**
 * The columns of a `ConversationRow`. Of the modes of forks, what another server chose, or another fork, is not counted: an
 * import, and what a fork brought along, has no origin here.
 */
export const CONVERSATION_COLUMNS = `id, summary,
  (SELECT count(*) FROM conversations AS forks WHERE forks.forked_from = conversations.id) AS fork_count,
  CASE WHEN forked_from IS NOT NULL THEN coalesce((SELECT ${jsonIn("payload")} ->> 'mode' FROM events
    WHERE conversation_id = conversations.id AND type = 'fork.mode_changed' AND origin = 'engine'
      AND seq > (${jsonIn("summary")} -> 'forked_from' ->> 'seq')::bigint ORDER BY seq DESC LIMIT 1), 'shadow') END AS fork_mode,
  (SELECT json_agg(json_build_array(name, kind, value))::text FROM ${LISTED_SCORES_FROM}) AS scores,
  (SELECT json_build_array(${QUEUE_COLUMNS})::text FROM queue WHERE conversation_id = conversations.id) AS queue,
  (SELECT count(*) FROM notes WHERE conversation_id = conversations.id) AS note_count,
  (SELECT json_build_array(${TOTAL_COLUMNS})::text FROM conversation_totals
    WHERE conversation = conversations.position) AS totals`;

/** A page of the conversations that pass the filters, and `found` where a search says so. Throws `BadCursor`. */
export async function listConversations(
  queries: Queries,
  query: ConversationQuery,
  found: Sql | null,
): Promise<ConversationPage> {
  const { sort = BY_ACTIVITY, order, ranges, error } = query;
  const places = error && failedPlaces(await failuresOf(queries, error.tool), error.fingerprint, query.happened);
  const isFew = async (counted: Sql) => (await select<{ few: number }>(queries, counted))[0]?.few === 1;
  const areFew = async (counted: Sql | null) => counted !== null && isFew(counted);
  const { happened, ...others } = query;
  const inMany = happened !== undefined && !(await isFew(areFewParts(happened, query.limit, among)));
  const isNarrow = !isFoundByParts(query);
  const filters = (plan: Plan) =>
    [
      // Those of a tag are found first where each of them is asked for what happened in many.
      ...filtersOf(others, plan, among, "", "position", inMany && !isInOrder(plan) ? among : isIn),
      happened === undefined ? null : happensBy(happened, plan, { inMany, isNarrow }),
      places ? isAt(places, "") : null,
      found,
    ].filter((one) => one !== null);
  const gathered = async () =>
    gatherPlan(query, {
      scores: await areFew(query.score ? areFewScores(query.score) : null),
      ranges: await areFew(areFewWithin(ranges)),
      // By activity, those in which it happened long ago are the last: to gather the many takes less than to read all others.
      happened: sort.by === "updated" || !inMany || isNarrow,
    });
  const isInRanges = (plan: Plan) => within(ranges, plan === "ranged" ? among : null);
  if (sort.by === "updated") {
    const filter = (plan: Plan) => and(...filters(plan), isInRanges(plan));
    const listed = { columns: CONVERSATION_COLUMNS, direction: order, filter };
    const page = await readRemotePage(byActivity(queries, listed, gathered), query);
    return needsTotals(query) ? withBehind(page, await countUnrolled(queries)) : page;
  }
  const filter = (plan: Plan) => {
    const conditions = [...filters(plan), sort.by === "score" ? isInRanges(plan) : null].filter((one) => one !== null);
    return conditions.length === 0 ? null : and(...conditions);
  };
  const sorted = { columns: CONVERSATION_COLUMNS, sort, direction: order, ranges, filter, fence: raw("OFFSET 0") };
  // Before the page: what is counted meanwhile is not missing.
  const behind = (await countUnrolled(queries)) + (sort.by === "score" ? await countDue(queries) : 0);
  const page = await readRemotePage(bySort(queries, sorted, gathered), query);
  return withBehind({ ...page, items: page.items.map(toConversation) }, behind);
}

/**
 * The condition that something happened in a conversation, in many or not; `isNarrow`: another filter has few, of which it is asked.
 * The many are hashed once, and each row that is read is looked for among them: `IS TRUE` keeps Postgres from joining them, since it
 * expects few.
 */
function happensBy(happened: Happened, plan: Plan, { inMany, isNarrow }: { inMany: boolean; isNarrow: boolean }): Sql {
  if (plan === "gather" && !isNarrow) return happenedIn(happened, among, "position");
  if (!inMany) return hasHappened(happened);
  if (plan === "sift" || plan === "scan") {
    const place = raw(plan === "sift" ? "totals.conversation" : "position");
    return sql`(${place} IN (SELECT conversation FROM rollup_parts WHERE ${partsWhere(happened, among)})) IS TRUE`;
  }
  // The plus keeps the index by series from being used: a conversation has few parts.
  const where = partsWhere(happened, (column, selected) => among(`+${column}`, selected));
  return sql`(SELECT 1 FROM rollup_parts WHERE rollup_parts.conversation = position AND ${where} LIMIT 1) IS NOT NULL`;
}

function byActivity(
  queries: Queries,
  listed: ByActivity,
  gathered: () => Promise<Plan>,
): RemoteKeyset<ActivityKey, Conversation> {
  const rows = async (statement: Sql) => (await select<ConversationRow>(queries, statement)).map(toConversation);
  return {
    ...keyedByActivity(listed),
    async read(cursor, limit) {
      const [end] = await select<{ value: number }>(queries, activityWalked(listed, cursor, limit));
      const near = await rows(rowsByActivity(listed, cursor, { limit, plan: "walk", end: end?.value ?? null }));
      if (near.length === limit || end === undefined) return near;
      return rows(rowsByActivity(listed, cursor, { limit, plan: await gathered(), end: null }));
    },
  };
}

function bySort(queries: Queries, sorted: Sorted, gathered: () => Promise<Plan>): RemoteKeyset<SortedKey, SortedRow> {
  const rows = (statement: Sql) => select<SortedRow>(queries, statement);
  return {
    ...keyedBy(sorted),
    async read(cursor, limit) {
      const [end = null] = await select<SortedEnd>(queries, totalsWalked(sorted, cursor, limit));
      const near = await rows(sortedRows(sorted, cursor, { limit, plan: "walk", end }));
      if (near.length === limit || end === null) return near;
      return rows(sortedRows(sorted, cursor, { limit, plan: await gathered(), end: null }));
    },
  };
}
