import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * The event log (E2), from which all other tables can be rebuilt. Times are epoch ms. A position below 0 is that of a
 * fork's history (E9), which is not sent to readers that follow the log. `call_id` to `error` are copied from the
 * payload, so that a timeline is drawn without reading payloads; the payload is last because SQLite reads columns
 * behind a long value only through all its overflow pages. `origin`, added later, is who recorded the event: null is a
 * program, others have their name (`Recorder`). The partial indexes contain own events only, and so cost other events
 * nothing: own runs by id, by parent, and the events of an own run without the rest of its conversation.
 * `failures` is for those of the same kind in other conversations. `followers` is for events of traces, whose ids are found by the
 * first event of their trace (`events-by-id.ts`); null for all others.
 */
export const events = sqliteTable(
  "events",
  {
    position: integer("position").primaryKey(),
    id: text("id").notNull(),
    conversationId: text("conversation_id"),
    seq: integer("seq").notNull(),
    type: text("type").notNull(),
    actor: text("actor"),
    agentId: text("agent_id"),
    runId: text("run_id"),
    parentRunId: text("parent_run_id"),
    causedBy: text("caused_by"),
    callId: text("call_id"),
    iteration: integer("iteration"),
    instance: text("instance"),
    tool: text("tool"),
    error: integer("error").notNull(),
    occurredAt: integer("occurred_at"),
    recordedAt: integer("recorded_at").notNull(),
    payload: text("payload").notNull(),
    origin: text("origin"),
    followers: integer("followers"),
  },
  (table) => [
    uniqueIndex("events_by_id").on(table.id).where(sql`followers IS NULL`),
    uniqueIndex("events_by_trace").on(table.id).where(sql`followers > 0`),
    uniqueIndex("events_by_conversation").on(table.conversationId, table.seq),
    index("own_runs").on(table.runId).where(sql`type = 'run.started' AND origin = 'engine'`),
    index("own_runs_by_parent").on(table.parentRunId).where(sql`type = 'run.started' AND origin = 'engine'`),
    index("own_events_by_run").on(table.runId).where(sql`origin = 'engine'`),
    index("failures").on(table.type, table.tool, table.position).where(sql`error = 1`),
  ],
);

/** Messages (E1). `position` and `seq` are those of the event; the text is last, as above. */
export const messages = sqliteTable(
  "messages",
  {
    position: integer("position").primaryKey(),
    conversationId: text("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    id: text("id").notNull(),
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

/** Agent state (E3). A deleted entry stays without a value, so that its versions are never reused (E12). */
export const agentState = sqliteTable(
  "agent_state",
  {
    agentId: text("agent_id").notNull(),
    key: text("key").notNull(),
    value: text("value"),
    version: integer("version").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.key] })],
);

/** The event of each version of an entry (C8), including deletions. Values are only in the log. */
export const agentStateVersions = sqliteTable(
  "agent_state_versions",
  {
    agentId: text("agent_id").notNull(),
    key: text("key").notNull(),
    version: integer("version").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.key, table.version] })],
);

/**
 * The list of conversations (E4): `summary` is the reduced row, the columns before it are for filters and sorting.
 * `position` is that of the first event. One index covers list and filters, one the facets in their order (100,000
 * conversations in 9 ms; with the other index 147), one the forks of a conversation (E9).
 */
export const conversations = sqliteTable(
  "conversations",
  {
    position: integer("position").primaryKey(),
    id: text("id").notNull().unique(),
    title: text("title"),
    status: text("status").notNull(),
    channel: text("channel"),
    stage: text("stage"),
    agentId: text("agent_id"),
    updatedAt: integer("updated_at").notNull(),
    summary: text("summary").notNull(),
    forkedFrom: text("forked_from"),
  },
  (table) => [
    index("conversations_by_activity").on(
      sql`${table.updatedAt} desc`,
      table.id,
      table.status,
      table.channel,
      table.stage,
      table.agentId,
    ),
    index("conversations_by_facet").on(table.status, table.channel, table.stage, table.agentId),
    index("forks").on(table.forkedFrom, sql`${table.updatedAt} desc`, table.id).where(sql`forked_from IS NOT NULL`),
  ],
);

/**
 * Forks whose history is being stored (E9), from `position`, and the import that is being stored (E11), which has no
 * conversation: all events from its `position` belong to it. On start these are interrupted ones, which are removed.
 */
export const unfinishedForks = sqliteTable("unfinished_forks", {
  conversationId: text("conversation_id").primaryKey(),
  position: integer("position").notNull(),
});
