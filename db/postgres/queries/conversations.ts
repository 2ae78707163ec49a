import {
  type ActivityKey,
  BY_ACTIVITY,
  beyondActivity,
  type ConversationRow,
  FACET_GROUPS,
  type FacetGroup,
  facetsOf,
  orderOf,
  toConversation,
} from "../../queries/conversation-row.ts";
import { type RemoteKeyset, readRemotePage } from "../../queries/cursor.ts";
import { sharedReading } from "../../queries/shared-reading.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { Conversation, ConversationQuery, Conversations, Facets, Page } from "../../repositories.ts";
import type { SearchIndexer } from "../../search/search-indexer.ts";
import { toMs } from "../../times.ts";
import type { Queries } from "../database.ts";
import { searchConversations } from "../search/search.ts";
import { countOpenAlerts } from "./alerts.ts";
import { countAwaiting } from "./confirmations.ts";
import { raw, select } from "./select.ts";

// What another server chose, or another fork, is not counted: an import, and what a fork brought along, has no origin here.
const COLUMNS = `id, summary,
  (SELECT count(*) FROM conversations AS forks WHERE forks.forked_from = conversations.id) AS fork_count,
  CASE WHEN forked_from IS NOT NULL THEN coalesce((SELECT payload::json ->> 'mode' FROM events
    WHERE conversation_id = conversations.id AND type = 'fork.mode_changed' AND origin = 'engine'
      AND seq > (summary::json -> 'forked_from' ->> 'seq')::bigint ORDER BY seq DESC LIMIT 1), 'shadow') END AS fork_mode`;

/** The list of conversations (E4): last activity newest first, then by id. */
export function createConversations(queries: Queries, indexer: SearchIndexer): Conversations {
  const read = async (id: string) =>
    (await queries.rows<ConversationRow>(`SELECT ${COLUMNS} FROM conversations WHERE id = $1`, [id])).at(0);
  return {
    async get(id) {
      const row = await read(id);
      return row ? toConversation(row) : null;
    },
    async summary(id) {
      const row = await read(id);
      return row ? JSON.parse(row.summary) : null;
    },
    async list(query) {
      if (!query.q?.trim()) return listConversations(queries, query, null);
      await indexer.settled();
      return searchConversations(queries, query);
    },
    facets: sharedReading(() => readFacets(queries)),
  };
}

/** A page of the conversations that pass the filters, and `found` where a search says so. Throws `BadCursor`. */
export function listConversations(
  queries: Queries,
  query: ConversationQuery,
  found: Sql | null,
): Promise<Page<Conversation>> {
  const { channel, status, stage, agent_id, from, to, forked_from } = query;
  const filter = and(
    channel === undefined ? null : sql`channel = ${channel}`,
    status === undefined ? null : sql`status = ${status}`,
    stage === undefined ? null : sql`stage = ${stage}`,
    agent_id === undefined ? null : sql`agent_id = ${agent_id}`,
    from === undefined ? null : sql`updated_at >= ${toMs(from)}`,
    to === undefined ? null : sql`updated_at < ${toMs(to)}`,
    forked_from === undefined ? null : sql`forked_from = ${forked_from}`,
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
        sql`SELECT ${raw(COLUMNS)} FROM conversations
          WHERE ${and(filter, cursor && beyondActivity(cursor))} ORDER BY ${orderOf(cursor)} LIMIT ${limit}`,
      );
      return rows.map(toConversation);
    },
  };
}

async function readFacets(queries: Queries): Promise<Facets> {
  const [groups, { waiting }, alerts] = await Promise.all([
    queries.rows<FacetGroup>(FACET_GROUPS),
    countAwaiting(queries),
    countOpenAlerts(queries),
  ]);
  return facetsOf(groups, { awaiting: waiting, alerts });
}
