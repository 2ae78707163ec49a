import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

// Tables that are not projections of the log: users, keys, the audit log, notifications. Times are epoch ms.

/**
 * Users. `password_hash` is null for users of the OpenID Connect provider, who have a `subject` (issuer and subject).
 */
export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    role: text("role").notNull(),
    passwordHash: text("password_hash"),
    subject: text("subject").unique(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("users_by_name").on(sql`lower(${table.name})`)],
);

/** Who decides for a user while they are away, by the names of both; times in epoch ms. */
export const absences = sqliteTable("absences", {
  name: text("name").primaryKey(),
  deputy: text("deputy").notNull(),
  fromAt: integer("from_at").notNull(),
  untilAt: integer("until_at").notNull(),
});

/** Sign-ins by the hash of their cookie. */
export const signIns = sqliteTable(
  "sign_ins",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id").notNull(),
    createdAt: integer("created_at").notNull(),
    seenAt: integer("seen_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    address: text("address").notNull(),
    userAgent: text("user_agent"),
  },
  (table) => [index("sign_ins_by_user").on(table.userId)],
);

/** API keys. `shown` is the key's first characters, by which people recognize it; `scopes` is a JSON array. */
export const apiKeys = sqliteTable("api_keys", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  tokenHash: text("token_hash").notNull().unique(),
  shown: text("shown").notNull(),
  scopes: text("scopes").notNull(),
  createdAt: integer("created_at").notNull(),
  createdBy: text("created_by").notNull(),
  expiresAt: integer("expires_at"),
  usedAt: integer("used_at"),
  revokedAt: integer("revoked_at"),
});

/**
 * The audit log. Triggers of the migration refuse every change except an erasure, which sets `target`, `before`,
 * `after` and `salt` to null. `digest` is the salted hash of these values, and `hash` covers everything else and the
 * previous hash, so that the chain stays valid after an erasure and breaks with every other change.
 */
export const audit = sqliteTable(
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

/**
 * Notifications about a confirmation or an alert (`subject`) by channel: the first (0) and its reminders. `message` is
 * the id of the message it is sent with, the same for each attempt. Not a projection: nothing else records what was
 * sent.
 */
export const notices = sqliteTable(
  "notices",
  {
    subject: text("subject").notNull(),
    channel: text("channel").notNull(),
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

/** The position up to which the log has been read for a channel. */
export const noticePlaces = sqliteTable("notice_places", {
  channel: text("channel").primaryKey(),
  position: integer("position").notNull(),
});

/** Token usage of this server's own runs by UTC day (`2026-01-31`), because the log has no index for it. */
export const agentUsage = sqliteTable(
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

/**
 * Erasures. `target`, `reason` and `scope` are null when finished; then `receipt`, a keyed digest of the name,
 * identifies the target to those who know the name. `scope` is a JSON object of what was found, so that an erasure can
 * continue after a restart.
 */
export const erasures = sqliteTable("erasures", {
  id: text("id").primaryKey(),
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
