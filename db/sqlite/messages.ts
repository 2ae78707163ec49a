import { and, asc, desc, eq, gt, lt, lte } from "drizzle-orm";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import type { Message } from "../../lib/session/session.ts";
import type { Messages } from "../repositories.ts";
import type { Connection } from "./connection.ts";
import { type Keyset, readPage } from "./cursor.ts";
import { messages } from "./schema.ts";
import { toIso } from "./times.ts";

type StoredMessage = Message & { content: string };

/** Messages of a conversation, oldest first (E1). */
export function createMessages(db: BetterSQLite3Database): Messages {
  return {
    async list(conversationId, page) {
      return readPage(messagesOf(db, conversationId), page);
    },
  };
}

/** The newest messages at or before a step, oldest first. */
export function newestMessages(connection: Connection, conversationId: string, at: number, limit: number): StoredMessage[] {
  return drizzle(connection)
    .select()
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), lte(messages.seq, at)))
    .orderBy(desc(messages.seq))
    .limit(limit)
    .all()
    .reverse()
    .map(toMessage);
}

function messagesOf(db: BetterSQLite3Database, conversationId: string): Keyset<readonly [number], StoredMessage> {
  return {
    isKey: (parts): parts is readonly [number] => parts.length === 1 && Number.isSafeInteger(parts[0]),
    keyOf: (message) => [message.seq],
    read(cursor, limit) {
      const backward = cursor?.direction === "prev";
      const beyond = cursor && (backward ? lt(messages.seq, cursor.key[0]) : gt(messages.seq, cursor.key[0]));
      return db
        .select()
        .from(messages)
        .where(and(eq(messages.conversationId, conversationId), beyond ?? undefined))
        .orderBy(backward ? desc(messages.seq) : asc(messages.seq))
        .limit(limit)
        .all()
        .map(toMessage);
    },
  };
}

function toMessage(row: typeof messages.$inferSelect): StoredMessage {
  return {
    id: row.id,
    seq: row.seq,
    role: row.role,
    content: row.content,
    name: row.name,
    run_id: row.runId,
    created_at: row.createdAt === null ? null : toIso(row.createdAt),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  };
}
