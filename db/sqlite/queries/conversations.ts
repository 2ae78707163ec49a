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
import { type Keyset, readPage } from "../../queries/cursor.ts";
import { assignedTo, QUEUE_COLUMNS, queuedIn, taggedWith } from "../../queries/queue-row.ts";
import { LISTED_SCORES_FROM, scoredBy } from "../../queries/score-row.ts";
import { shareReads } from "../../queries/share-reads.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { Conversation, ConversationQuery, Conversations, Facets, Page } from "../../repositories.ts";
import { happenedIn } from "../../rollup/reads.ts";
import type { SearchIndexer } from "../../search/search-indexer.ts";
import { toMs } from "../../times.ts";
import type { Connection } from "../connection.ts";
import type { ReaderPool } from "../readers/reader-pool.ts";
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
  (SELECT json_array(${QUEUE_COLUMNS}) FROM queue WHERE conversation_id = conversations.id) AS queue`;

/** The list of conversations (E4), by last activity descending, then by id. */
export function createConversations(
  connection: Connection,
  readers: ReaderPool,
  indexer: SearchIndexer,
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
      if (!query.q?.trim()) {
        const { channel, status, stage, agent_id, score, queue, assignee, tag, happened } = query;
        // If few of many conversations match, a page reads all of them.
        const isFiltered = [channel, status, stage, agent_id, score, queue, assignee, tag, happened].some(
          (filter) => filter !== undefined,
        );
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
): Page<Conversation> {
  const { channel, status, stage, agent_id, from, to, forked_from, score, queue, assignee, tag, happened } = query;
  // The unary plus prevents SQLite from using the facets' index, with which it would sort all matches for each page.
  const filter = and(
    channel === undefined ? null : sql`+channel = ${channel}`,
    status === undefined ? null : sql`+status = ${status}`,
    stage === undefined ? null : sql`+stage = ${stage}`,
    agent_id === undefined ? null : sql`+agent_id = ${agent_id}`,
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
  return readPage(byActivity(connection, filter), query);
}

/** What the filters can take, how many conversations there are of each status, and how many confirmations and alerts wait. */
export function readFacets(connection: Connection): Facets {
  const groups = connection.prepare<[], FacetGroup>(FACET_GROUPS);
  return facetsOf(groups.iterate(), { awaiting: countAwaiting(connection), alerts: countOpenAlerts(connection) });
}

function byActivity(connection: Connection, filter: Sql): Keyset<ActivityKey, Conversation> {
  return {
    ...BY_ACTIVITY,
    read(cursor, limit) {
      const order = orderOf(cursor);
      const { text, values } = sql`SELECT ${{ text: COLUMNS, values: [] }} FROM conversations
        WHERE ${and(filter, cursor && beyondActivity(cursor))} ORDER BY ${order} LIMIT ${limit}`;
      return connection
        .prepare<unknown[], ConversationRow>(text)
        .all(...values)
        .map(toConversation);
    },
  };
}

// The first condition is where the index can begin; the second passes over the rest of that instant.
