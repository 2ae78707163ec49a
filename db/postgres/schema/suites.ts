import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

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
    users: text("users").notNull().default("[]"),
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
