import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

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
