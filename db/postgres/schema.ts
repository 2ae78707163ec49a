import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, integer, key, words } from "./column-types.ts";

// What each table is for, and what its columns say, is told once: in ../sqlite/schema.ts. JSON is kept as text: `jsonb` changes
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

export const runOwners = pgTable(
  "run_owners",
  {
    runId: key("run_id").primaryKey(),
    key: key("key").notNull(),
    fence: integer("fence").notNull(),
    decided: integer("decided").notNull(),
    ready: integer("ready").notNull(),
  },
  (table) => [index("ready_runs").on(table.key).where(sql`${table.ready} = 1`)],
);

export const confirmations = pgTable(
  "confirmations",
  {
    position: integer("position").primaryKey(),
    id: key("id").notNull(),
    conversationId: key("conversation_id").notNull(),
    own: integer("own").notNull(),
    status: text("status").notNull(),
    runId: key("run_id"),
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
    uniqueIndex("confirmations_by_id").on(table.id),
    index("confirmations_by_decision").on(table.status, table.decidedAt),
    index("confirmations_by_conversation").on(table.conversationId),
    index("unused_approvals")
      .on(table.conversationId, table.actionKey)
      .where(sql`own = 1 AND status = 'approved' AND used IS NULL`),
  ],
);

export const alerts = pgTable(
  "alerts",
  {
    position: integer("position").primaryKey(),
    id: key("id").notNull(),
    conversationId: key("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    runId: text("run_id"),
    createdAt: integer("created_at").notNull(),
    closedAt: integer("closed_at"),
    closedBy: text("closed_by"),
    reason: text("reason"),
    text: text("text").notNull(),
  },
  (table) => [
    uniqueIndex("alerts_by_id").on(table.id),
    index("open_alerts").on(table.conversationId).where(sql`closed_at IS NULL`),
  ],
);

export const searchProgress = pgTable("search_progress", {
  id: integer("id").primaryKey(),
  position: integer("position").notNull(),
  history: integer("history").notNull(),
});

/** The index of the search (E14); a place is that of `../search/search-place.ts`. */
export const eventSearch = pgTable(
  "event_search",
  { place: integer("place").primaryKey(), words: words("words").notNull() },
  (table) => [index("events_by_word").using("gin", table.words)],
);

export const bookmarks = pgTable(
  "bookmarks",
  {
    conversationId: key("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    note: text("note"),
    by: text("by"),
    at: integer("at").notNull(),
    setSeq: integer("set_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);

export const scores = pgTable(
  "scores",
  {
    conversationId: key("conversation_id").notNull(),
    id: key("id").notNull(),
    seq: integer("seq"),
    runId: key("run_id"),
    callId: key("call_id"),
    name: key("name").notNull(),
    kind: key("kind").notNull(),
    value: text("value").notNull(),
    source: key("source").notNull(),
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

export const waitingScores = pgTable("waiting_scores", {
  id: key("id").primaryKey(),
  target: text("target").notNull(),
  receivedAt: integer("received_at").notNull(),
  content: text("content").notNull(),
});

export const notes = pgTable(
  "notes",
  {
    conversationId: key("conversation_id").notNull(),
    id: key("id").notNull(),
    seq: integer("seq"),
    runId: key("run_id"),
    callId: key("call_id"),
    path: text("path"),
    text: text("text").notNull(),
    mentions: text("mentions").notNull(),
    by: text("by"),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.id] }), uniqueIndex("notes_by_id").on(table.id)],
);

export const queue = pgTable(
  "queue",
  {
    conversationId: key("conversation_id").primaryKey(),
    assignee: key("assignee"),
    dueAt: integer("due_at"),
    snoozedUntil: integer("snoozed_until"),
    resolvedAt: integer("resolved_at"),
    tags: text("tags").notNull(),
  },
  (table) => [index("queue_by_assignee").on(table.assignee).where(sql`assignee IS NOT NULL`)],
);

export const snapshots = pgTable(
  "snapshots",
  {
    conversationId: key("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    reducerVersion: integer("reducer_version").notNull(),
    session: bytes("session").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);

export const timelineChunks = pgTable(
  "timeline_chunks",
  {
    conversationId: key("conversation_id").notNull(),
    seq: integer("seq").notNull(),
    version: integer("version").notNull(),
    holds: text("holds").notNull(),
    buckets: text("buckets").notNull(),
    standing: bytes("standing").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);

/** What the models of this server's own runs have used, by UTC day. */
export const agentUsage = pgTable(
  "agent_usage",
  {
    day: text("day").notNull(),
    agentId: text("agent_id").notNull(),
    model: text("model").notNull(),
    inputTokens: integer("input_tokens").notNull(),
    outputTokens: integer("output_tokens").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.agentId, table.model] })],
);

/** The rollup: see `db/sqlite/schema.ts`. */
export const rollupSeries = pgTable(
  "rollup_series",
  {
    id: integer("id").primaryKey(),
    cut: text("cut").notNull(),
    kind: text("kind").notNull(),
    agent: key("agent").notNull(),
    version: key("version").notNull(),
    model: key("model").notNull(),
    channel: key("channel").notNull(),
    stage: key("stage").notNull(),
    tool: key("tool").notNull(),
    score: key("score").notNull().default(""),
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

const counts = {
  began: integer("began").notNull(),
  count: integer("count").notNull(),
  failed: integer("failed").notNull(),
  escalated: integer("escalated").notNull(),
  inputTokens: integer("input_tokens").notNull(),
  outputTokens: integer("output_tokens").notNull(),
  unreported: integer("unreported").notNull(),
  scoreSum: integer("score_sum").notNull().default(0),
  durations: bytes("durations").notNull(),
  waits: bytes("waits").notNull(),
};

export const rollupCells = pgTable("rollup_cells", { id: integer("id").primaryKey(), ...counts });

export const rollupParts = pgTable(
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

export const rollupStates = pgTable(
  "rollup_states",
  { conversation: integer("conversation").primaryKey(), state: text("state") },
  (table) => [index("rollup_again").on(table.conversation).where(sql`state IS NULL`)],
);

export const conversationTotals = pgTable(
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

export const rollupAverages = pgTable(
  "rollup_averages",
  {
    conversation: integer("conversation").notNull(),
    name: key("name").notNull(),
    value: integer("value").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversation, table.name] }),
    index("rollup_averages_by_value").on(table.name, table.value, table.conversation),
  ],
);

export const countedPrices = pgTable("counted_prices", {
  id: integer("id").primaryKey(),
  prices: text("prices").notNull(),
});

export const listViews = pgTable(
  "list_views",
  {
    id: key("id").primaryKey(),
    owner: key("owner").notNull(),
    name: key("name").notNull(),
    query: text("query").notNull(),
    shared: integer("shared").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [uniqueIndex("list_views_by_name").on(table.owner, table.name)],
);

export const rollupDue = pgTable("rollup_due", {
  conversation: integer("conversation").primaryKey(),
  change: integer("change").notNull(),
});

export const rollupProgress = pgTable("rollup_progress", {
  id: integer("id").primaryKey(),
  position: integer("position").notNull(),
});

export const suites = pgTable("suites", {
  name: key("name").primaryKey(),
  createdAt: integer("created_at").notNull(),
  createdBy: text("created_by").notNull(),
});

export const suiteCases = pgTable(
  "suite_cases",
  {
    suite: key("suite").notNull(),
    id: key("id").notNull(),
    conversationId: key("conversation_id").notNull(),
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

export const suiteRuns = pgTable(
  "suite_runs",
  {
    id: key("id").primaryKey(),
    suite: key("suite").notNull(),
    agentId: key("agent_id").notNull(),
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

export const suiteTries = pgTable(
  "suite_tries",
  {
    runId: key("run_id").notNull(),
    caseId: key("case_id").notNull(),
    number: integer("number").notNull(),
    outcome: text("outcome").notNull(),
    brief: text("brief").notNull(),
    result: text("result").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.caseId, table.number] })],
);

export const agentVersions = pgTable(
  "agent_versions",
  {
    agentId: key("agent_id").notNull(),
    version: key("version").notNull(),
    definition: text("definition").notNull(),
    createdAt: integer("created_at").notNull(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.version] })],
);

export const agentPromotions = pgTable(
  "agent_promotions",
  {
    id: key("id").primaryKey(),
    agentId: key("agent_id").notNull(),
    version: text("version").notNull(),
    before: text("before").notNull(),
    runId: text("run_id"),
    promotedAt: integer("promoted_at").notNull(),
    promotedBy: text("promoted_by").notNull(),
  },
  (table) => [index("agent_promotions_by_agent").on(table.agentId, table.id)],
);

export const alertRules = pgTable("alert_rules", {
  id: key("id").primaryKey(),
  name: key("name").notNull().unique(),
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

export const alertFirings = pgTable(
  "alert_firings",
  {
    id: key("id").primaryKey(),
    ruleId: key("rule_id").notNull(),
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
