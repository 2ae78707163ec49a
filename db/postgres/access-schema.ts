import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

// What is no projection of the log: ../sqlite/access-schema.ts tells what each table is for.

export const users = pgTable("users", {
  id: key("id").primaryKey(),
  name: text("name").notNull(),
  role: text("role").notNull(),
  passwordHash: text("password_hash"),
  subject: text("subject").unique(),
  createdAt: integer("created_at").notNull(),
});

export const absences = pgTable("absences", {
  name: text("name").primaryKey(),
  deputy: text("deputy").notNull(),
  fromAt: integer("from_at").notNull(),
  untilAt: integer("until_at").notNull(),
});

export const signIns = pgTable(
  "sign_ins",
  {
    tokenHash: key("token_hash").primaryKey(),
    userId: key("user_id").notNull(),
    createdAt: integer("created_at").notNull(),
    seenAt: integer("seen_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    address: text("address").notNull(),
    userAgent: text("user_agent"),
  },
  (table) => [index("sign_ins_by_user").on(table.userId)],
);

/** `place` tells in which order they were made. */
export const apiKeys = pgTable("api_keys", {
  place: integer("place").generatedAlwaysAsIdentity(),
  id: key("id").primaryKey(),
  name: text("name").notNull().unique(),
  tokenHash: key("token_hash").notNull().unique(),
  shown: text("shown").notNull(),
  scopes: text("scopes").notNull(),
  createdAt: integer("created_at").notNull(),
  createdBy: text("created_by").notNull(),
  expiresAt: integer("expires_at"),
  usedAt: integer("used_at"),
  revokedAt: integer("revoked_at"),
});

/** Triggers of a migration refuse every change but an erasure's. */
export const audit = pgTable(
  "audit",
  {
    id: integer("id").primaryKey(),
    at: integer("at").notNull(),
    action: text("action").notNull(),
    actor: text("actor").notNull(),
    address: text("address").notNull(),
    requestId: text("request_id").notNull(),
    target: text("target"),
    before: text("before"),
    after: text("after"),
    salt: text("salt"),
    digest: text("digest").notNull(),
    hash: text("hash").notNull(),
  },
  (table) => [
    index("audit_by_action").on(table.action),
    index("audit_by_actor").on(table.actor),
    index("audit_by_target").on(table.target),
  ],
);

export const notices = pgTable(
  "notices",
  {
    subject: key("subject").notNull(),
    channel: key("channel").notNull(),
    number: integer("number").notNull(),
    dueAt: integer("due_at").notNull(),
    tries: integer("tries").notNull().default(0),
    message: text("message"),
    sentAt: integer("sent_at"),
    error: text("error"),
  },
  (table) => [
    primaryKey({ columns: [table.subject, table.channel, table.number] }),
    index("unsent_notices").on(table.dueAt).where(sql`sent_at IS NULL`),
  ],
);

export const noticePlaces = pgTable("notice_places", {
  channel: key("channel").primaryKey(),
  position: integer("position").notNull(),
});

export const telegramUpdates = pgTable(
  "telegram_updates",
  {
    updateId: integer("update_id").primaryKey(),
    conversationId: key("conversation_id").notNull(),
    handledAt: integer("handled_at"),
    content: text("content"),
  },
  (table) => [
    index("unhandled_telegram_updates").on(table.conversationId, table.updateId).where(sql`handled_at IS NULL`),
    index("telegram_updates_by_end").on(table.handledAt).where(sql`handled_at IS NOT NULL`),
  ],
);

export const telegramProgress = pgTable("telegram_progress", {
  name: key("name").primaryKey(),
  position: integer("position").notNull(),
  parts: integer("parts").notNull(),
});

/** `place` tells in which order they came. */
export const spans = pgTable(
  "spans",
  {
    place: integer("place").generatedAlwaysAsIdentity(),
    traceId: key("trace_id").notNull(),
    spanId: key("span_id").notNull(),
    parentSpanId: key("parent_span_id"),
    receivedAt: integer("received_at").notNull(),
    taken: integer("taken").notNull().default(0),
    content: text("content").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.traceId, table.spanId] }),
    uniqueIndex("spans_by_place").on(table.traceId, table.place),
  ],
);

/** Traces that a replica is mapping. `owner`: see `unfinishedForks`. */
export const spanClaims = pgTable("span_claims", {
  traceId: key("trace_id").primaryKey(),
  owner: integer("owner").notNull(),
  claimedAt: integer("claimed_at").notNull(),
});

/** Conversations that take no events while an erasure (`erasure`) or the retention (`retention`) removes them. */
export const closedConversations = pgTable(
  "closed_conversations",
  {
    conversationId: key("conversation_id").notNull(),
    closedFor: text("closed_for").notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.closedFor] })],
);

/**
 * When conversations were erased, by id and by position, in numbers that grow: what was read before that must not be stored.
 * The rows are removed when the erasure ends, and what was read before the number `floor` may be of any of them.
 */
export const erasedConversations = pgTable("erased_conversations", {
  name: key("name").primaryKey(),
  epoch: integer("epoch").notNull(),
});

/** One row: the newest of these numbers. */
export const erasureEpoch = pgTable("erasure_epoch", {
  id: integer("id").primaryKey(),
  epoch: integer("epoch").notNull(),
  floor: integer("floor").notNull(),
});

export const erasures = pgTable("erasures", {
  id: key("id").primaryKey(),
  kind: text("kind").notNull(),
  target: text("target"),
  reason: text("reason"),
  scope: text("scope"),
  receipt: text("receipt").notNull(),
  phase: text("phase").notNull(),
  conversations: integer("conversations").notNull().default(0),
  events: integer("events").notNull().default(0),
  requestedAt: integer("requested_at").notNull(),
  requestedBy: text("requested_by").notNull(),
  finishedAt: integer("finished_at"),
});
