import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

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
