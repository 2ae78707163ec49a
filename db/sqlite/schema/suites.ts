import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
    users: text("users").notNull().default("[]"),
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
