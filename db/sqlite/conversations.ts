import { and, asc, desc, eq, gt, gte, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { ConversationStatus, Summary } from "../../lib/session/session.ts";
import { statusOf } from "../../lib/session/summary.ts";
import type { Conversation, ConversationQuery, Conversations, Facets, Page } from "../repositories.ts";
import { type Cursor, type Keyset, readPage } from "./cursor.ts";
import type { ReaderPool } from "./reader-pool.ts";
import { conversations } from "./schema.ts";
import { toMs } from "./times.ts";

/** The list of conversations (E4): last activity newest first, then by id. */
export function createConversations(db: BetterSQLite3Database, readers: ReaderPool): Conversations {
  return {
    async get(id) {
      const row = db.select({ id: conversations.id, summary: conversations.summary }).from(conversations).where(eq(conversations.id, id)).get();
      return row ? toConversation(row) : null;
    },
    async list(query) {
      return query.q?.trim() ? readers.call("search", query) : listConversations(db, query, undefined);
    },
    facets: () => readers.call("facets"),
  };
}

/** A page of the conversations that pass the filters and `found`. Throws `BadCursor`. */
export function listConversations(db: BetterSQLite3Database, query: ConversationQuery, found: SQL | undefined): Page<Conversation> {
  const filter = and(
    query.channel === undefined ? undefined : eq(conversations.channel, query.channel),
    query.status === undefined ? undefined : eq(conversations.status, query.status),
    query.stage === undefined ? undefined : eq(conversations.stage, query.stage),
    query.agent_id === undefined ? undefined : eq(conversations.agentId, query.agent_id),
    query.from === undefined ? undefined : gte(conversations.updatedAt, toMs(query.from)),
    query.to === undefined ? undefined : lt(conversations.updatedAt, toMs(query.to)),
    found,
  );
  return readPage(byActivity(db, filter), query);
}

/** What the filters can take, and how many conversations there are of each status. */
export function readFacets(db: BetterSQLite3Database): Facets {
  const groups = db
    .select({
      status: conversations.status,
      channel: conversations.channel,
      stage: conversations.stage,
      agentId: conversations.agentId,
      count: sql<number>`count(*)`,
    })
    .from(conversations)
    .groupBy(conversations.status, conversations.channel, conversations.stage, conversations.agentId)
    .all();
  const statuses: Facets["statuses"] = { idle: 0, running: 0, waiting: 0, escalated: 0, failed: 0 };
  for (const { status, count } of groups) if (isStatus(statuses, status)) statuses[status] += count;
  return {
    total: groups.reduce((total, { count }) => total + count, 0),
    statuses,
    channels: distinct(groups.map((group) => group.channel)),
    stages: distinct(groups.map((group) => group.stage)),
    agents: distinct(groups.map((group) => group.agentId)),
  };
}

function isStatus(statuses: Facets["statuses"], status: string): status is ConversationStatus {
  return Object.hasOwn(statuses, status);
}

function distinct(values: (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))].sort();
}

type Key = readonly [updatedAt: number, id: string];

function byActivity(db: BetterSQLite3Database, filter: SQL | undefined): Keyset<Key, Conversation> {
  return {
    isKey: (parts): parts is Key => parts.length === 2 && Number.isSafeInteger(parts[0]) && typeof parts[1] === "string",
    keyOf: (conversation) => [toMs(conversation.updated_at), conversation.id],
    read(cursor, limit) {
      const backward = cursor?.direction === "prev";
      return db
        .select({ id: conversations.id, summary: conversations.summary })
        .from(conversations)
        .where(and(filter, beyond(cursor)))
        .orderBy(
          backward ? asc(conversations.updatedAt) : desc(conversations.updatedAt),
          backward ? desc(conversations.id) : asc(conversations.id),
        )
        .limit(limit)
        .all()
        .map(toConversation);
    },
  };
}

// The first condition alone is what the index can begin at; the second skips the rest of that instant.
function beyond(cursor: Cursor<Key> | null): SQL | undefined {
  if (!cursor) return undefined;
  const [updatedAt, id] = cursor.key;
  return cursor.direction === "prev"
    ? and(gte(conversations.updatedAt, updatedAt), or(gt(conversations.updatedAt, updatedAt), lt(conversations.id, id)))
    : and(lte(conversations.updatedAt, updatedAt), or(lt(conversations.updatedAt, updatedAt), gt(conversations.id, id)));
}

function toConversation(row: { id: string; summary: string }): Conversation {
  const summary: Summary = JSON.parse(row.summary);
  const { open_runs: _runs, awaiting: _awaiting, escalated: _escalated, newest_run: _newest, failed: _failed, created_at, updated_at, ...shown } = summary;
  if (created_at === null || updated_at === null) throw new Error(`The conversation ${row.id} has a row but no event`);
  return { id: row.id, status: statusOf(summary), ...shown, created_at, updated_at };
}
