import type { ForkMode } from "../../../lib/session/catalogue.ts";
import type { ConversationStatus, Summary } from "../../../lib/session/session.ts";
import { shownStatusOf, statusOf } from "../../../lib/session/summary.ts";
import { type Cursor, type Keyset, readPage } from "../../queries/cursor.ts";
import { sharedReading } from "../../queries/shared-reading.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { Conversation, ConversationQuery, Conversations, Facets, Page } from "../../repositories.ts";
import type { SearchIndexer } from "../../search/search-indexer.ts";
import { toMs } from "../../times.ts";
import type { Connection } from "../connection.ts";
import type { ReaderPool } from "../readers/reader-pool.ts";
import { countOpenAlerts } from "./alerts.ts";
import { countAwaiting } from "./confirmations.ts";

interface ConversationRow {
  id: string;
  summary: string;
  fork_count: number;
  fork_mode: ForkMode | null;
}

// What another server chose, or another fork, is not counted: an import, and what a fork brought along, has no origin here.
const COLUMNS = `id, summary,
  (SELECT count(*) FROM conversations AS forks WHERE forks.forked_from = conversations.id) AS fork_count,
  CASE WHEN forked_from IS NOT NULL THEN coalesce((SELECT payload ->> '$.mode' FROM events
    WHERE conversation_id = conversations.id AND seq > summary ->> '$.forked_from.seq' AND type = 'fork.mode_changed'
      AND origin = 'engine' ORDER BY seq DESC LIMIT 1), 'shadow') END AS fork_mode`;

/** The list of conversations (E4): last activity newest first, then by id. */
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
        const { channel, status, stage, agent_id } = query;
        // Few of very many may pass a filter: then the page takes reading them all.
        const isFiltered = [channel, status, stage, agent_id].some((filter) => filter !== undefined);
        return isFiltered ? readers.call("list", query) : listConversations(connection, query, null);
      }
      await indexer.settled();
      return readers.call("search", query);
    },
    // Each page of the console asks, and it goes through all conversations.
    facets: sharedReading(() => readers.call("facets")),
  };
}

/** A page of the conversations that pass the filters, and `found` where a search says so. Throws `BadCursor`. */
export function listConversations(
  connection: Connection,
  query: ConversationQuery,
  found: Sql | null,
): Page<Conversation> {
  const { channel, status, stage, agent_id, from, to, forked_from } = query;
  // The plus keeps SQLite from looking these up in the facets' index: it would sort all that match for each page.
  const filter = and(
    channel === undefined ? null : sql`+channel = ${channel}`,
    status === undefined ? null : sql`+status = ${status}`,
    stage === undefined ? null : sql`+stage = ${stage}`,
    agent_id === undefined ? null : sql`+agent_id = ${agent_id}`,
    from === undefined ? null : sql`updated_at >= ${toMs(from)}`,
    to === undefined ? null : sql`updated_at < ${toMs(to)}`,
    forked_from === undefined ? null : sql`forked_from = ${forked_from}`,
    found,
  );
  return readPage(byActivity(connection, filter), query);
}

/** Of each filter so many values are told, the most used first: programs make up as many as they like. */
const MOST_VALUES = 100;

/** What the filters can take, how many conversations there are of each status, and how many confirmations and alerts wait. */
export function readFacets(connection: Connection): Facets {
  const groups = connection.prepare<
    [],
    {
      status: ConversationStatus;
      channel: string | null;
      stage: string | null;
      agent_id: string | null;
      count: number;
    }
  >(
    `SELECT status, channel, stage, agent_id, count(*) AS count FROM conversations
     GROUP BY status, channel, stage, agent_id`,
  );
  const statuses = { idle: 0, running: 0, waiting: 0, escalated: 0, failed: 0 };
  const used = {
    channels: new Map<string, number>(),
    stages: new Map<string, number>(),
    agents: new Map<string, number>(),
  };
  let total = 0;
  for (const { status, channel, stage, agent_id, count } of groups.iterate()) {
    total += count;
    statuses[status] += count;
    add(used.channels, channel, count);
    add(used.stages, stage, count);
    add(used.agents, agent_id, count);
  }
  const beyond = (values: Map<string, number>) => Math.max(0, values.size - MOST_VALUES);
  return {
    total,
    awaiting: countAwaiting(connection),
    alerts: countOpenAlerts(connection),
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

type Key = readonly [updatedAt: number, id: string];

function byActivity(connection: Connection, filter: Sql): Keyset<Key, Conversation> {
  return {
    isKey: (parts): parts is Key =>
      parts.length === 2 && Number.isSafeInteger(parts[0]) && typeof parts[1] === "string",
    keyOf: (conversation) => [toMs(conversation.updated_at), conversation.id],
    read(cursor, limit) {
      const order = cursor?.direction === "prev" ? sql`updated_at, id DESC` : sql`updated_at DESC, id`;
      const { text, values } = sql`SELECT ${{ text: COLUMNS, values: [] }} FROM conversations
        WHERE ${and(filter, cursor && beyond(cursor))} ORDER BY ${order} LIMIT ${limit}`;
      return connection
        .prepare<unknown[], ConversationRow>(text)
        .all(...values)
        .map(toConversation);
    },
  };
}

// The first condition is where the index can begin; the second passes over the rest of that instant.
function beyond({ direction, key: [updatedAt, id] }: Cursor<Key>): Sql {
  return direction === "prev"
    ? sql`updated_at >= ${updatedAt} AND (updated_at > ${updatedAt} OR id < ${id})`
    : sql`updated_at <= ${updatedAt} AND (updated_at < ${updatedAt} OR id > ${id})`;
}

function toConversation(row: ConversationRow): Conversation {
  const summary: Summary = JSON.parse(row.summary);
  const {
    open_runs: _openRuns,
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
  };
}
