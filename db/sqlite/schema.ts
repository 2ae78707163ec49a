import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * The log (E2): the truth that every other table can be rebuilt from. Times are epoch ms. A position below 0 is that of
 * an event which a fork brought along (E9): history, of which those who follow the log are not told. `call_id` to `error` are
 * taken from the payload when the event is stored, so that a timeline is drawn without reading payloads; the payload
 * comes last because SQLite reaches the columns behind a long value only through all of its pages. `origin`, behind it
 * because it came later, tells who put the event into the log: null is a program, all others are called by their name
 * (`Recorder`). What the engine appended is found through the partial indexes, which hold own runs alone and so cost ordinary events nothing: own runs by id, those
 * below a parent, and an own run's events without the rest of their conversation.
 */
export const events = sqliteTable(
  "events",
  {
    position: integer("position").primaryKey(),
    id: text("id").notNull().unique(),
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
  },
  (table) => [
    uniqueIndex("events_by_conversation").on(table.conversationId, table.seq),
    index("own_runs").on(table.runId).where(sql`type = 'run.started' AND origin = 'engine'`),
    index("own_runs_by_parent").on(table.parentRunId).where(sql`type = 'run.started' AND origin = 'engine'`),
    index("own_events_by_run").on(table.runId).where(sql`origin = 'engine'`),
  ],
);

/** What people and agents said (E1). `position` and `seq` are those of the event; the text comes last, as above. */
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

/** What agents keep (E3). A deleted entry stays with no value, so that its version is never given out again (E12). */
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

/** Which event wrote each version of an entry (C8), a deletion too. The values stay in the log alone. */
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
 * The list of conversations (E4): `summary` is the folded row, the columns before it are what filters and order need.
 * `position` is that of the first event. One index answers list and filters without touching rows that do not match, one
 * counts for the facets in its own order (of 100,000 conversations in 9 ms, by the other index in 147), one has the forks
 * of a conversation (E9).
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
 * Forks whose history is still being stored (E9), from `position` on, and the import that is (E11), which has no
 * conversation: everything from its `position` on is its own. One that is found at a start was cut off, and all of it is
 * removed.
 */
export const unfinishedForks = sqliteTable("unfinished_forks", {
  conversationId: text("conversation_id").primaryKey(),
  position: integer("position").notNull(),
});

/**
 * What people are asked to confirm (E4), oldest first by `position`, that of the newest request. `own` is 1 where this
 * server's engine asks. `action_key` is the same for the same action, whatever the order of its keys; `used` is the
 * position of the event that used the approval up (P22a).
 */
export const confirmations = sqliteTable(
  "confirmations",
  {
    position: integer("position").primaryKey(),
    id: text("id").notNull().unique(),
    conversationId: text("conversation_id").notNull(),
    own: integer("own").notNull(),
    status: text("status").notNull(),
    runId: text("run_id"),
    callId: text("call_id"),
    iteration: integer("iteration"),
    instance: text("instance").notNull(),
    key: text("key").notNull(),
    cause: text("cause").notNull(),
    actionKey: text("action_key").notNull(),
    requestedSeq: integer("requested_seq").notNull(),
    requestedAt: integer("requested_at").notNull(),
    decidedSeq: integer("decided_seq"),
    decidedAt: integer("decided_at"),
    decidedBy: text("decided_by"),
    used: integer("used"),
    reason: text("reason"),
    description: text("description"),
    action: text("action").notNull(),
    before: text("before"),
  },
  (table) => [
    index("confirmations_by_status").on(table.status),
    index("confirmations_by_decision").on(table.status, table.decidedAt),
    index("confirmations_by_conversation").on(table.conversationId),
    index("unused_approvals")
      .on(table.conversationId, table.actionKey)
      .where(sql`own = 1 AND status = 'approved' AND used IS NULL`),
  ],
);

/**
 * Managers who were called (E4, D9). `position` and `seq` are those of the event; `closed_at` is null until the
 * conversation is handed back. The index holds the open ones alone, which are few.
 */
export const alerts = sqliteTable(
  "alerts",
  {
    position: integer("position").primaryKey(),
    id: text("id").notNull().unique(),
    conversationId: text("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    runId: text("run_id"),
    createdAt: integer("created_at").notNull(),
    closedAt: integer("closed_at"),
    closedBy: text("closed_by"),
    reason: text("reason"),
    text: text("text").notNull(),
  },
  (table) => [index("open_alerts").on(table.conversationId).where(sql`closed_at IS NULL`)],
);

/**
 * What came from Telegram (D10). `content` is the update as JSON, until it is handled; then its id alone stays, so that it
 * is not taken again. Not a projection: what is not handled stands nowhere else.
 */
export const telegramUpdates = sqliteTable(
  "telegram_updates",
  {
    updateId: integer("update_id").primaryKey(),
    conversationId: text("conversation_id").notNull(),
    handledAt: integer("handled_at"),
    content: text("content"),
  },
  (table) => [
    index("unhandled_telegram_updates").on(table.conversationId, table.updateId).where(sql`handled_at IS NULL`),
    index("telegram_updates_by_end").on(table.handledAt).where(sql`handled_at IS NOT NULL`),
  ],
);

/**
 * How far the log has been sent to Telegram (D10): all up to `position`, and so many parts of the next message. By the
 * conversation's id, or the name of what is followed besides.
 */
export const telegramProgress = sqliteTable("telegram_progress", {
  name: text("name").primaryKey(),
  position: integer("position").notNull(),
  parts: integer("parts").notNull(),
});

/**
 * How far the log has been read into the index of the search (E14): all events up to `position`, and of the history that the
 * fork after it brought along (E9), the steps up to `history`. One row; none before the first event was read. The index
 * itself is `event_search`, which Drizzle cannot describe.
 */
export const searchProgress = sqliteTable("search_progress", {
  id: integer("id").primaryKey(),
  position: integer("position").notNull(),
  history: integer("history").notNull(),
});

/**
 * Spans of OpenTelemetry that are not told yet (E15), and go when they are. `taken` is 1 while only a part of
 * their events is written: a trace of many is more than one transaction. Not a projection: what is not told stands nowhere else.
 */
export const spans = sqliteTable(
  "spans",
  {
    traceId: text("trace_id").notNull(),
    spanId: text("span_id").notNull(),
    parentSpanId: text("parent_span_id"),
    receivedAt: integer("received_at").notNull(),
    taken: integer("taken").notNull().default(0),
    content: text("content").notNull(),
  },
  (table) => [primaryKey({ columns: [table.traceId, table.spanId] })],
);

/**
 * The same as they came, many in a row: spans of traces that the process has in memory, of which this is the copy on disk. A row goes
 * when none of its spans waits any more. A start moves what an earlier process left to `spans`.
 */
export const spanParts = sqliteTable("span_parts", {
  id: integer("id").primaryKey(),
  receivedAt: integer("received_at").notNull(),
  content: text("content").notNull(),
});

/**
 * The steps that people have marked, with their notes. Not a projection: they stand nowhere else, and the log has no step of
 * theirs. `set_seq` is the session's last step when the note was written.
 */
export const bookmarks = sqliteTable(
  "bookmarks",
  {
    conversationId: text("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    note: text("note"),
    by: text("by"),
    at: integer("at").notNull(),
    setSeq: integer("set_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);

/**
 * Sessions as they stood after an event, so that a view folds from near by (E8): JSON, deflated. Dropped when the reducer
 * changes.
 */
export const snapshots = sqliteTable(
  "snapshots",
  {
    conversationId: text("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    reducerVersion: integer("reducer_version").notNull(),
    session: blob("session").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);

/**
 * Timelines of long sessions, so many steps a row (E8): what is drawn of them where they cannot be told apart (`buckets`,
 * JSON), which types and runs are among them (`holds`, a line each), and what has to be known to go on after them (`standing`: JSON, deflated). `seq` is that of
 * the last of them. Dropped when the fold of timelines changes.
 */
export const timelineChunks = sqliteTable(
  "timeline_chunks",
  {
    conversationId: text("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    version: integer("version").notNull(),
    holds: text("holds").notNull(),
    buckets: text("buckets").notNull(),
    standing: blob("standing").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);
