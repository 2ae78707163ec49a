import { BY_ACTIVITY } from "../../../lib/rollup/totals.ts";
import {
  type ActivityKey,
  activityWalked,
  areFewParts,
  type ByActivity,
  type ConversationRow,
  FACET_GROUPS,
  type FacetGroup,
  facetsOf,
  filtersOf,
  gatherPlan,
  isFoundByParts,
  keyedByActivity,
  placePlus,
  rowsByActivity,
  toConversation,
} from "../../queries/conversation-row.ts";
import { type Keyset, readPage } from "../../queries/cursor.ts";
import { isInOrder, type Plan } from "../../queries/plan.ts";
import { QUEUE_COLUMNS } from "../../queries/queue-row.ts";
import { areFewScores, LISTED_SCORES_FROM } from "../../queries/score-row.ts";
import { shareReads } from "../../queries/share-reads.ts";
import { and, isIn, type Sql } from "../../queries/sql.ts";
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
import type { Conversation, ConversationPage, ConversationQuery, Conversations, Facets } from "../../repositories.ts";
import type { RollupIndexer } from "../../rollup/rollup-store.ts";
import { failedPlaces, isAt } from "../../rollup/tool-errors.ts";
import type { SearchIndexer } from "../../search/search-indexer.ts";
import type { Connection } from "../connection.ts";
import type { ReaderPool } from "../readers/reader-pool.ts";
import { countDue, countUnrolled } from "../rollup/read-batch.ts";
import { failuresOf } from "../rollup/rollup-reads.ts";
import { countOpenAlerts } from "./alerts.ts";
import { countAwaiting } from "./confirmations.ts";

// Choices made on another server or in another fork are not counted: imported events and a fork's history have no own
// origin.
const COLUMNS = `id, summary,
  (SELECT count(*) FROM conversations AS forks WHERE forks.forked_from = conversations.id) AS fork_count,
  CASE WHEN forked_from IS NOT NULL THEN coalesce((SELECT payload ->> '$.mode' FROM events
    WHERE conversation_id = conversations.id AND seq > summary ->> '$.forked_from.seq' AND type = 'fork.mode_changed'
      AND origin = 'engine' ORDER BY seq DESC LIMIT 1), 'shadow') END AS fork_mode,
  (SELECT json_group_array(json_array(name, kind, value)) FROM ${LISTED_SCORES_FROM}) AS scores,
  (SELECT json_array(${QUEUE_COLUMNS}) FROM queue WHERE conversation_id = conversations.id) AS queue,
  (SELECT count(*) FROM notes WHERE conversation_id = conversations.id) AS note_count,
  (SELECT json_array(${TOTAL_COLUMNS}) FROM conversation_totals WHERE conversation = conversations.position) AS totals`;

/** The list of conversations (E4), by last activity descending, then by id. */
export function createConversations(
  connection: Connection,
  readers: ReaderPool,
  indexer: SearchIndexer,
  rollup: Pick<RollupIndexer, "settled">,
): Conversations {
  const one = connection.prepare<[string], ConversationRow>(`SELECT ${COLUMNS} FROM conversations WHERE id = ?`);
  return {
    async get(id) {
      const row = one.get(id);
      return row ? toConversation(row) : null;
    },
    async summary(id) {
      const row = one.get(id);
      return row ? JSON.parse(row.summary) : null;
    },
    async list(query) {
      if (needsTotals(query)) await rollup.settled();
      if (!query.q?.trim()) {
        const { channel, status, stage, agent_id, score, queue, assignee, tag, happened, error, ranges, sort } = query;
        // If few of many conversations match, a page reads all of them.
        const isFiltered = [
          ...[channel, status, stage, agent_id, score, queue, assignee, tag, happened, error, ranges, sort],
        ].some((filter) => filter !== undefined);
        return isFiltered ? readers.call("list", query) : listConversations(connection, query, null);
      }
      await indexer.settled();
      return readers.call("search", query);
    },
    // Each page of the console requests it, and it scans all conversations.
    facets: shareReads(() => readers.call("facets")),
  };
}

/** A page of the conversations that match the filters, and `found` for a search. Throws `BadCursor`. */
export function listConversations(
  connection: Connection,
  query: ConversationQuery,
  found: Sql | null,
): ConversationPage {
  const { sort = BY_ACTIVITY, order, ranges, error } = query;
  const places = error && failedPlaces(failuresOf(connection, error.tool), error.fingerprint, query.happened);
  // The unary plus keeps SQLite from using the index of facets where it reads rows in their order.
  const filters = (plan: Plan) =>
    [
      ...filtersOf(
        query,
        plan,
        isIn,
        isInOrder(plan) ? "+" : "",
        plan === "sift" && sort.by !== "updated" ? "totals.conversation" : "position",
      ),
      places ? isAt(places, isInOrder(plan) ? "+" : placePlus(query, plan)) : null,
      found,
    ].filter((one) => one !== null);
  const isFew = (counted: Sql) => read<{ few: number }>(connection, counted)[0]?.few === 1;
  const areFew = (counted: Sql | null) => counted !== null && isFew(counted);
  const { happened, limit } = query;
  const gathered = () =>
    gatherPlan(query, {
      scores: areFew(query.score ? areFewScores(query.score) : null),
      ranges: areFew(areFewWithin(ranges)),
      happened: !happened || !isFoundByParts(query) || isFew(areFewParts(happened, limit, isIn)),
    });
  const isInRanges = (plan: Plan) => within(ranges, plan === "ranged" ? isIn : null);
  if (sort.by === "updated") {
    const filter = (plan: Plan) => and(...filters(plan), isInRanges(plan));
    const page = readPage(byActivity(connection, { columns: COLUMNS, direction: order, filter }, gathered), query);
    return needsTotals(query) ? withBehind(page, countUnrolled(connection)) : page;
  }
  const filter = (plan: Plan) => {
    const conditions = [...filters(plan), sort.by === "score" ? isInRanges(plan) : null].filter((one) => one !== null);
    return conditions.length === 0 ? null : and(...conditions);
  };
  // Before the page: what is counted meanwhile is not missing.
  const behind = countUnrolled(connection) + (sort.by === "score" ? countDue(connection) : 0);
  const page = readPage(
    bySort(connection, { columns: COLUMNS, sort, direction: order, ranges, filter }, gathered),
    query,
  );
  return withBehind({ ...page, items: page.items.map(toConversation) }, behind);
}

/** What the filters can take, how many conversations there are of each status, and how many confirmations and alerts wait. */
export function readFacets(connection: Connection): Facets {
  const groups = connection.prepare<[], FacetGroup>(FACET_GROUPS);
  return facetsOf(groups.iterate(), { awaiting: countAwaiting(connection), alerts: countOpenAlerts(connection) });
}

function byActivity(
  connection: Connection,
  listed: ByActivity,
  gathered: () => Plan,
): Keyset<ActivityKey, Conversation> {
  const rows = (statement: Sql) => read<ConversationRow>(connection, statement);
  return {
    ...keyedByActivity(listed),
    read(cursor, limit) {
      const [end] = read<{ value: number }>(connection, activityWalked(listed, cursor, limit));
      const near = rows(rowsByActivity(listed, cursor, { limit, plan: "walk", end: end?.value ?? null }));
      const all =
        near.length === limit || end === undefined
          ? near
          : rows(rowsByActivity(listed, cursor, { limit, plan: gathered(), end: null }));
      return all.map(toConversation);
    },
  };
}

function bySort(connection: Connection, sorted: Sorted, gathered: () => Plan): Keyset<SortedKey, SortedRow> {
  return {
    ...keyedBy(sorted),
    read(cursor, limit) {
      const [end = null] = read<SortedEnd>(connection, totalsWalked(sorted, cursor, limit));
      const near = read<SortedRow>(connection, sortedRows(sorted, cursor, { limit, plan: "walk", end }));
      if (near.length === limit || end === null) return near;
      return read<SortedRow>(connection, sortedRows(sorted, cursor, { limit, plan: gathered(), end: null }));
    },
  };
}

function read<Row>(connection: Connection, { text, values }: Sql): Row[] {
  return connection.prepare<unknown[], Row>(text).all(...values);
}
