import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

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

/**
 * Top-level runs that replicas carry on, one at a time. `key`: runs with the same one go on one after another. `fence` is raised
 * at each take-over. `decided` is the position of the last decision that was recorded by others; `ready` is 1 while
 * somebody has to.
 */
export const runOwners = sqliteTable(
  "run_owners",
  {
    runId: text("run_id").primaryKey(),
    key: text("key").notNull(),
    fence: integer("fence").notNull(),
    decided: integer("decided").notNull(),
    ready: integer("ready").notNull(),
  },
  (table) => [index("ready_runs").on(table.key).where(sql`${table.ready} = 1`)],
);

/**
 * Confirmations (E4), oldest first by `position`, that of the newest request. `own` is 1 for those of this server's
 * engine. `action_key` is canonical, independent of the order of keys; `used` is the position of the event that used
 * the approval (P22a). `approvals` is JSON, `Approvals`, where several people have to approve; else null.
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
    approvals: text("approvals"),
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
 * Alerts of managers (E4, D9). `position` and `seq` are those of the event; `closed_at` is null until the conversation
 * is handed back. The index is partial: few are open.
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
 * Updates from Telegram (D10). `content` is the update as JSON until it is handled; then only its id stays, for
 * deduplication. Not a projection: nothing else records unhandled updates.
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
 * The position up to which the log has been sent to Telegram (D10), and the number of parts sent of the next message.
 * By conversation id, or by the name of another subscription.
 */
export const telegramProgress = sqliteTable("telegram_progress", {
  name: text("name").primaryKey(),
  position: integer("position").notNull(),
  parts: integer("parts").notNull(),
});

/**
 * The progress of the search index (E14): all events up to `position`, and of the history of the fork after it (E9),
 * the steps up to `history`. One row; none before the first event. The index itself is `event_search`, which Drizzle
 * cannot describe.
 */
export const searchProgress = sqliteTable("search_progress", {
  id: integer("id").primaryKey(),
  position: integer("position").notNull(),
  history: integer("history").notNull(),
});

/**
 * The trace buffer: spans that are not mapped to events yet (E15), deleted when they are. `taken` is 1 while only a
 * part of their events is written: a large trace takes several transactions. Not a projection: nothing else records
 * them.
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
 * Spans as they arrived, many in a row: those of traces that the process has in memory, of which this is the copy on disk. A
 * row is deleted when all of its spans are mapped. A start moves the rows of an earlier process to `spans`.
 */
export const spanParts = sqliteTable("span_parts", {
  id: integer("id").primaryKey(),
  receivedAt: integer("received_at").notNull(),
  content: text("content").notNull(),
});

/**
 * Bookmarks of steps, with notes. Not a projection: the log has no event for them. `set_seq` is the session's last step
 * when the note was written.
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
 * Scores of conversations, or of a run, a step or a call in them. Not a projection: the log has no event for them. `value` is
 * text, that of yes or no 1 or 0; `detail` is JSON: how a model came to it (`Judgement`).
 */
export const scores = sqliteTable(
  "scores",
  {
    conversationId: text("conversation_id").notNull(),
    id: text("id").notNull(),
    seq: integer("seq"),
    runId: text("run_id"),
    callId: text("call_id"),
    name: text("name").notNull(),
    kind: text("kind").notNull(),
    value: text("value").notNull(),
    source: text("source").notNull(),
    comment: text("comment"),
    by: text("by"),
    at: integer("at").notNull(),
    detail: text("detail"),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.id] }),
    index("scores_by_time").on(table.at),
    index("scores_by_name").on(table.name, table.conversationId, table.kind, table.value),
  ],
);

/** Scores from OpenTelemetry whose span may not be mapped to events yet: `target` is where it will be found, `content` the score. */
export const waitingScores = sqliteTable("waiting_scores", {
  id: text("id").primaryKey(),
  target: text("target").notNull(),
  receivedAt: integer("received_at").notNull(),
  content: text("content").notNull(),
});

/** Notes about conversations, or about a step, a call or a path of the state; not a projection. `mentions` is a JSON array of names. */
export const notes = sqliteTable(
  "notes",
  {
    conversationId: text("conversation_id").notNull(),
    id: text("id").notNull(),
    seq: integer("seq"),
    runId: text("run_id"),
    callId: text("call_id"),
    path: text("path"),
    text: text("text").notNull(),
    mentions: text("mentions").notNull(),
    by: text("by"),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.id] }), uniqueIndex("notes_by_id").on(table.id)],
);

/** What people do about conversations; not a projection. `tags` has each tag between line breaks. */
export const queue = sqliteTable(
  "queue",
  {
    conversationId: text("conversation_id").primaryKey(),
    assignee: text("assignee"),
    dueAt: integer("due_at"),
    snoozedUntil: integer("snoozed_until"),
    resolvedAt: integer("resolved_at"),
    tags: text("tags").notNull(),
  },
  (table) => [index("queue_by_assignee").on(table.assignee).where(sql`assignee IS NOT NULL`)],
);

/** Snapshots of sessions, from which views are reduced (E8): deflated JSON. Dropped when the reducer changes. */
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
 * Chunks of the timelines of long sessions (E8): their `buckets` (JSON), the types and runs in them (`holds`, one per
 * line), and the state after them (`standing`: deflated JSON). `seq` is that of the last step. Dropped when the
 * timeline's reducer changes.
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

/** By what the rollup counts apart: see `Series` in `lib/rollup/counts.ts`; "" where something is not known or not told. */
export const rollupSeries = sqliteTable(
  "rollup_series",
  {
    id: integer("id").primaryKey(),
    cut: text("cut").notNull(),
    kind: text("kind").notNull(),
    agent: text("agent").notNull(),
    version: text("version").notNull(),
    model: text("model").notNull(),
    channel: text("channel").notNull(),
    stage: text("stage").notNull(),
    tool: text("tool").notNull(),
    score: text("score").notNull().default(""),
  },
  (table) => [
    uniqueIndex("rollup_series_by_name").on(
      table.kind,
      table.cut,
      table.agent,
      table.version,
      table.model,
      table.channel,
      table.stage,
      table.tool,
      table.score,
    ),
  ],
);

/** What is counted of a series; durations and waits are sketches (`lib/rollup/sketch.ts`). */
const counts = {
  began: integer("began").notNull(),
  count: integer("count").notNull(),
  failed: integer("failed").notNull(),
  escalated: integer("escalated").notNull(),
  inputTokens: integer("input_tokens").notNull(),
  outputTokens: integer("output_tokens").notNull(),
  unreported: integer("unreported").notNull(),
  scoreSum: integer("score_sum").notNull().default(0),
  durations: blob("durations").notNull(),
  waits: blob("waits").notNull(),
};

/** The rollup: what happened in an hour, or on a day, of a series. The id has all three: see `cellId` in `lib/rollup/place.ts`. */
export const rollupCells = sqliteTable("rollup_cells", { id: integer("id").primaryKey(), ...counts });

/**
 * What each conversation added to the cells of hours that tell by everything: what is subtracted when it is erased or removed, and
 * where a number leads. `conversation` is the position of its row in the list. Its rows are in the order of their key (the
 * migration says `WITHOUT ROWID`), so that a period of a series is read at once.
 */
export const rollupParts = sqliteTable(
  "rollup_parts",
  {
    conversation: integer("conversation").notNull(),
    hour: integer("hour").notNull(),
    series: integer("series").notNull(),
    ...counts,
    longest: integer("longest").notNull(),
    longestSeq: integer("longest_seq").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.series, table.hour, table.conversation] }),
    index("rollup_parts_by_conversation").on(table.conversation),
  ],
);

/** What is known of a conversation after its newest event in the rollup, as JSON; null: it has to be counted again. */
export const rollupStates = sqliteTable(
  "rollup_states",
  { conversation: integer("conversation").primaryKey(), state: text("state") },
  (table) => [index("rollup_again").on(table.conversation).where(sql`state IS NULL`)],
);

/**
 * Conversations whose scores have changed since the rollup counted them. `change` grows with each change, so that one that comes
 * while they are counted is not lost.
 */
export const rollupDue = sqliteTable("rollup_due", {
  conversation: integer("conversation").primaryKey(),
  change: integer("change").notNull(),
});

/** The position up to which the log has been read into the rollup. One row; none before the first event. */
export const rollupProgress = sqliteTable("rollup_progress", {
  id: integer("id").primaryKey(),
  position: integer("position").notNull(),
});

/**
 * What the list is sorted and filtered by beside the last activity, kept with the rollup: when a conversation began (epoch ms), how
 * long it went on (ms), failed calls, tokens, and their cost in millionths of a unit of currency. It can be made from
 * `conversations`, `rollup_parts` and `model_prices`.
 */
export const conversationTotals = sqliteTable(
  "conversation_totals",
  {
    conversation: integer("conversation").primaryKey(),
    started: integer("started").notNull(),
    duration: integer("duration").notNull(),
    failures: integer("failures").notNull(),
    tokens: integer("tokens").notNull(),
    cost: integer("cost").notNull(),
  },
  (table) => [
    index("totals_by_start").on(table.started, table.conversation),
    index("totals_by_duration").on(table.duration, table.conversation),
    index("totals_by_failures").on(table.failures, table.conversation),
    index("totals_by_tokens").on(table.tokens, table.conversation),
    index("totals_by_cost").on(table.cost, table.conversation),
  ],
);

/**
 * What the list is sorted by where it is by scores: the average of those of a name that are numbers or yes or no, in millionths. It can
 * be made from `scores`, and is kept with the rollup.
 */
export const rollupAverages = sqliteTable(
  "rollup_averages",
  {
    conversation: integer("conversation").notNull(),
    name: text("name").notNull(),
    value: integer("value").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversation, table.name] }),
    index("rollup_averages_by_value").on(table.name, table.value, table.conversation),
  ],
);

/** The prices with which the costs above were computed, as JSON. One row; none before the first start with prices. */
export const countedPrices = sqliteTable("counted_prices", {
  id: integer("id").primaryKey(),
  prices: text("prices").notNull(),
});

/** Views of the list that people saved (`db/views.ts`). `query` is the search part of the list's address; `shared` is 1 or 0. */
export const listViews = sqliteTable(
  "list_views",
  {
    id: text("id").primaryKey(),
    owner: text("owner").notNull(),
    name: text("name").notNull(),
    query: text("query").notNull(),
    shared: integer("shared").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [uniqueIndex("list_views_by_name").on(table.owner, table.name)],
);

/** Suites: recorded sessions as tests (`db/suites.ts`). */
export const suites = sqliteTable("suites", {
  name: text("name").primaryKey(),
  createdAt: integer("created_at").notNull(),
  createdBy: text("created_by").notNull(),
});

/** A session as a test. The title and the conversation stand beside its content, which can be megabytes of JSON. */
export const suiteCases = sqliteTable(
  "suite_cases",
  {
    suite: text("suite").notNull(),
    id: text("id").notNull(),
    conversationId: text("conversation_id").notNull(),
    title: text("title").notNull(),
    tags: text("tags").notNull(),
    calls: integer("calls").notNull(),
    createdAt: integer("created_at").notNull(),
    createdBy: text("created_by").notNull(),
    tools: text("tools").notNull(),
    content: text("content").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.suite, table.id] }),
    index("suite_cases_by_conversation").on(table.conversationId),
  ],
);

/** Runs of suites. One process carries a run out: `seen_at` is when it last said so. */
export const suiteRuns = sqliteTable(
  "suite_runs",
  {
    id: text("id").primaryKey(),
    suite: text("suite").notNull(),
    agentId: text("agent_id").notNull(),
    version: text("version").notNull(),
    model: text("model").notNull(),
    rule: text("rule").notNull(),
    tries: integer("tries").notNull(),
    cases: text("cases").notNull(),
    status: text("status").notNull(),
    error: text("error"),
    done: integer("done").notNull(),
    total: integer("total").notNull(),
    worker: text("worker").notNull(),
    startedAt: integer("started_at").notNull(),
    startedBy: text("started_by").notNull(),
    seenAt: integer("seen_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    index("suite_runs_by_suite").on(table.suite, table.id),
    index("suite_runs_open").on(table.seenAt).where(sql`finished_at IS NULL`),
  ],
);

/** What came of each try: in brief for lists, and the whole difference. */
export const suiteTries = sqliteTable(
  "suite_tries",
  {
    runId: text("run_id").notNull(),
    caseId: text("case_id").notNull(),
    number: integer("number").notNull(),
    outcome: text("outcome").notNull(),
    brief: text("brief").notNull(),
    result: text("result").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.caseId, table.number] })],
);

/** Definitions of agents that suites were run with, by the digest of their content. */
export const agentVersions = sqliteTable(
  "agent_versions",
  {
    agentId: text("agent_id").notNull(),
    version: text("version").notNull(),
    definition: text("definition").notNull(),
    createdAt: integer("created_at").notNull(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.version] })],
);

/** Which version an agent was given when, and which it had before. */
export const agentPromotions = sqliteTable(
  "agent_promotions",
  {
    id: text("id").primaryKey(),
    agentId: text("agent_id").notNull(),
    version: text("version").notNull(),
    before: text("before").notNull(),
    runId: text("run_id"),
    promotedAt: integer("promoted_at").notNull(),
    promotedBy: text("promoted_by").notNull(),
  },
  (table) => [index("agent_promotions_by_agent").on(table.agentId, table.id)],
);

/** Alert rules (`db/alert-rules.ts`) with their state; the condition as JSON. */
export const alertRules = sqliteTable("alert_rules", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  condition: text("condition").notNull(),
  enabled: integer("enabled").notNull(),
  mutedUntil: integer("muted_until"),
  state: text("state").notNull(),
  since: integer("since").notNull(),
  toldAt: integer("told_at"),
  createdAt: integer("created_at").notNull(),
  createdBy: text("created_by").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** When rules were firing; `ended_at` is null while one is. */
export const alertFirings = sqliteTable(
  "alert_firings",
  {
    id: text("id").primaryKey(),
    ruleId: text("rule_id").notNull(),
    startedAt: integer("started_at").notNull(),
    endedAt: integer("ended_at"),
    windowFrom: integer("window_from").notNull(),
    value: text("value").notNull(),
    peak: text("peak").notNull(),
    count: integer("count").notNull(),
    toldAt: integer("told_at"),
  },
  (table) => [
    index("alert_firings_by_rule").on(table.ruleId, table.startedAt),
    uniqueIndex("alert_firings_open").on(table.ruleId).where(sql`ended_at IS NULL`),
  ],
);
