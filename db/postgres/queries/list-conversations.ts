import {
  type ActivityKey,
  BY_ACTIVITY,
  beyondActivity,
  type ConversationRow,
  orderOf,
  toConversation,
} from "../../queries/conversation-row.ts";
import { type RemoteKeyset, readRemotePage } from "../../queries/cursor.ts";
import { assignedTo, QUEUE_COLUMNS, queuedIn, taggedWith } from "../../queries/queue-row.ts";
import { LISTED_SCORES_FROM, scoredBy } from "../../queries/score-row.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { Conversation, ConversationQuery, Page } from "../../repositories.ts";
import { happenedIn } from "../../rollup/reads.ts";
import { toMs } from "../../times.ts";
import type { Queries } from "../database.ts";
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
  (SELECT json_build_array(${QUEUE_COLUMNS})::text FROM queue WHERE conversation_id = conversations.id) AS queue`;

/** A page of the conversations that pass the filters, and `found` where a search says so. Throws `BadCursor`. */
export function listConversations(
  queries: Queries,
  query: ConversationQuery,
  found: Sql | null,
): Promise<Page<Conversation>> {
  const { channel, status, stage, agent_id, from, to, forked_from, score, queue, assignee, tag, happened } = query;
  const filter = and(
    channel === undefined ? null : sql`channel = ${channel}`,
    status === undefined ? null : sql`status = ${status}`,
    stage === undefined ? null : sql`stage = ${stage}`,
    agent_id === undefined ? null : sql`agent_id = ${agent_id}`,
    from === undefined ? null : sql`updated_at >= ${toMs(from)}`,
    to === undefined ? null : sql`updated_at < ${toMs(to)}`,
    forked_from === undefined ? null : sql`forked_from = ${forked_from}`,
    queue === undefined ? null : queuedIn(queue),
    assignee === undefined ? null : assignedTo(assignee),
    tag === undefined ? null : taggedWith(tag),
    score === undefined ? null : scoredBy(score),
    happened === undefined ? null : happenedIn(happened),
    found,
  );
  return readRemotePage(byActivity(queries, filter), query);
}

function byActivity(queries: Queries, filter: Sql): RemoteKeyset<ActivityKey, Conversation> {
  return {
    ...BY_ACTIVITY,
    async read(cursor, limit) {
      const rows = await select<ConversationRow>(
        queries,
        sql`SELECT ${raw(CONVERSATION_COLUMNS)} FROM conversations
          WHERE ${and(filter, cursor && beyondActivity(cursor))} ORDER BY ${orderOf(cursor)} LIMIT ${limit}`,
      );
      return rows.map(toConversation);
    },
  };
}
