import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { integer, key, words } from "./column-types.ts";

// What the tables and columns are for is told once, in db/sqlite/schema. JSON is kept as text: `jsonb` changes
// the order of keys and how numbers are written, and cannot hold the character U+0000.

/** The log (E2). `position` is given in the order of commits: see decision 37. */
export const events = pgTable(
  "events",
  {
    position: integer("position").primaryKey(),
    id: key("id").notNull(),
    conversationId: key("conversation_id"),
    seq: integer("seq").notNull(),
    type: key("type").notNull(),
    actor: text("actor"),
    agentId: text("agent_id"),
    runId: key("run_id"),
    parentRunId: key("parent_run_id"),
    causedBy: key("caused_by"),
    callId: text("call_id"),
    iteration: integer("iteration"),
    instance: text("instance"),
    tool: text("tool"),
    error: integer("error").notNull(),
    occurredAt: integer("occurred_at"),
    recordedAt: integer("recorded_at").notNull(),
    payload: text("payload").notNull(),
    origin: text("origin"),
  },
  (table) => [
    uniqueIndex("events_by_id").on(table.id),
    uniqueIndex("events_by_conversation").on(table.conversationId, table.seq),
    index("own_runs").on(table.runId).where(sql`type = 'run.started' AND origin = 'engine'`),
    index("own_runs_by_parent").on(table.parentRunId).where(sql`type = 'run.started' AND origin = 'engine'`),
    index("own_events_by_run").on(table.runId, table.position).where(sql`origin = 'engine'`),
    index("failures").on(table.type, table.tool, table.position).where(sql`error = 1`),
  ],
);

/** `content` and `metadata` are JSON. */
export const messages = pgTable(
  "messages",
  {
    position: integer("position").primaryKey(),
    conversationId: key("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    id: key("id").notNull(),
    role: text("role").notNull(),
    name: text("name"),
    toolCallId: text("tool_call_id"),
    runId: text("run_id"),
    createdAt: integer("created_at"),
    metadata: text("metadata"),
    content: text("content").notNull(),
  },
  (table) => [uniqueIndex("messages_by_conversation").on(table.conversationId, table.seq)],
);

export const agentState = pgTable(
  "agent_state",
  {
    agentId: key("agent_id").notNull(),
    key: key("key").notNull(),
    value: text("value"),
    version: integer("version").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.key] })],
);

export const agentStateVersions = pgTable(
  "agent_state_versions",
  {
    agentId: key("agent_id").notNull(),
    key: key("key").notNull(),
    version: integer("version").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.key, table.version] })],
);

/** `title_words` are those of the id and the title, for the search. */
export const conversations = pgTable(
  "conversations",
  {
    position: integer("position").primaryKey(),
    id: key("id").notNull(),
    title: text("title"),
    titleWords: words("title_words").notNull(),
    status: text("status").notNull(),
    channel: text("channel"),
    stage: text("stage"),
    agentId: text("agent_id"),
    updatedAt: integer("updated_at").notNull(),
    summary: text("summary").notNull(),
    forkedFrom: key("forked_from"),
  },
  (table) => [
    uniqueIndex("conversations_by_id").on(table.id),
    index("conversations_by_activity").on(sql`${table.updatedAt} desc`, table.id),
    index("conversations_by_facet").on(table.status, table.channel, table.stage, table.agentId),
    index("conversations_by_word").using("gin", table.titleWords),
    index("forks").on(table.forkedFrom, sql`${table.updatedAt} desc`, table.id).where(sql`forked_from IS NOT NULL`),
  ],
);

/** `owner` is the key of the advisory lock that its writer's connection holds: what was left when that ended is removed by any replica. */
export const unfinishedForks = pgTable("unfinished_forks", {
  conversationId: key("conversation_id").primaryKey(),
  position: integer("position").notNull(),
  owner: integer("owner").notNull(),
});
