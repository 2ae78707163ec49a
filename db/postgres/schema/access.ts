import { index, pgTable, text } from "drizzle-orm/pg-core";
import { integer, key } from "./column-types.ts";

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
