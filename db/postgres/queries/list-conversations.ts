import { BY_ACTIVITY, type Direction } from "../../../lib/rollup/totals.ts";
import {
  type ActivityKey,
  BY_ACTIVITY_KEY,
  beyondActivity,
  type ConversationRow,
  filtersOf,
  orderOf,
  placePlus,
  toConversation,
} from "../../queries/conversation-row.ts";
import { type RemoteKeyset, readRemotePage } from "../../queries/cursor.ts";
import { QUEUE_COLUMNS } from "../../queries/queue-row.ts";
import { LISTED_SCORES_FROM } from "../../queries/score-row.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import {
  keyedBy,
  needsTotals,
  type Sorted,
  type SortedKey,
  type SortedRow,
  sortedRows,
  TOTAL_COLUMNS,
  withBehind,
  within,
} from "../../queries/totals.ts";
import type { Conversation, ConversationPage, ConversationQuery } from "../../repositories.ts";
import { failedLike } from "../../rollup/tool-errors.ts";
import type { Queries } from "../database.ts";
import { countUnrolled } from "../rollup/read-batch.ts";
import { failuresOf } from "../rollup/rollup-reads.ts";
import { jsonIn } from "./json-text.ts";
import { raw, select } from "./select.ts";

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
  const failed =
    error === undefined ? null : failedLike(await failuresOf(queries, error.tool), error.fingerprint, placePlus(query));
  if (sort.by === "updated") {
    const filter = and(...filtersOf(query, ""), failed, within(ranges), found);
    const page = await readRemotePage(byActivity(queries, filter, order), query);
    return needsTotals(query) ? withBehind(page, await countUnrolled(queries)) : page;
  }
  const filters = [...filtersOf(query, ""), failed, found].filter((one) => one !== null);
  const filter = filters.length === 0 ? null : and(...filters);
  const sorted = { columns: CONVERSATION_COLUMNS, sort, direction: order, ranges, filter };
  const page = await readRemotePage(bySort(queries, sorted), query);
  return withBehind({ ...page, items: page.items.map(toConversation) }, await countUnrolled(queries));
}

function byActivity(
  queries: Queries,
  filter: Sql,
  direction: Direction | undefined,
): RemoteKeyset<ActivityKey, Conversation> {
  return {
    ...BY_ACTIVITY_KEY,
    async read(cursor, limit) {
      const rows = await select<ConversationRow>(
        queries,
        sql`SELECT ${raw(CONVERSATION_COLUMNS)} FROM conversations
          WHERE ${and(filter, cursor && beyondActivity(cursor, direction))} ORDER BY ${orderOf(cursor, direction)} LIMIT ${limit}`,
      );
      return rows.map(toConversation);
    },
  };
}

function bySort(queries: Queries, sorted: Sorted): RemoteKeyset<SortedKey, SortedRow> {
  return {
    ...keyedBy(sorted),
    read: (cursor, limit) => select<SortedRow>(queries, sortedRows(sorted, cursor, limit)),
  };
}
