import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

// What is no projection of the log: who may do what, what was done, what waits to be sent. Times are epoch ms.

/** People who sign in. `password_hash` is null for those who sign in elsewhere, whom `subject` names (issuer and subject). */
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

/** Browsers in which somebody is signed in, by the hash of what their cookie says. */
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

/** Keys of programs. `shown` is how the key begins, by which people know it again; `scopes` is a JSON array. */
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
 * What was done, by whom, from where. Triggers of the migration refuse every change but one: an erasure sets `target`,
 * `before`, `after` and `salt` to null. `digest` is that of those values with the salt, and `hash` of all else and the hash before it, so
 * that the chain holds after an erasure and breaks with every other change.
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
 * Messages to people about what awaits them: a confirmation or an alert (`subject`), by a channel, the first one (0) and
 * its reminders. `message` is the id of the message that it goes with, the same at each try. Not a projection: what was sent stands
 * nowhere else.
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

/** How far of the log it is noted what is to be told by a channel. */
export const noticePlaces = sqliteTable("notice_places", {
  channel: text("channel").primaryKey(),
  position: integer("position").notNull(),
});

/** What the models of this server's own runs have used, by UTC day (`2026-01-31`). Kept beside the log, which has no index for it. */
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
 * Erasures that were asked for. `target`, `reason` and `scope` are null once it is done: then `receipt`, a keyed digest of the
 * name, tells whoever knows it that it was this one. `scope` is a JSON object of what was found to be erased, so that a
 * process that ended in between is followed by one that knows it.
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
