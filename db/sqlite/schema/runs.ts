import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
