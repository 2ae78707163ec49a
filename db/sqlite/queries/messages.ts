import type { Message } from "../../../lib/session/session.ts";
import { isNumberKey, type Keyset, readPage } from "../../queries/cursor.ts";
import type { Messages, SaidMessage } from "../../repositories.ts";
import { toIso } from "../../times.ts";
import type { Connection } from "../connection.ts";

/** A message with its full text. */
type StoredMessage = Omit<Message, "content"> & { content: string };

interface MessageRow {
  id: string;
  seq: number;
  role: string;
  content: string;
  name: string | null;
  tool_call_id: string | null;
  run_id: string | null;
  created_at: number | null;
  metadata: string | null;
}

const COLUMNS = "id, seq, role, content, name, tool_call_id, run_id, created_at, metadata";

/** Messages of a conversation, oldest first (E1). */
export function createMessages(connection: Connection): Messages {
  const reads = prepareMessageReads(connection);
  return {
    async list(conversationId, page) {
      const { items, next, prev } = readPage(messagesOf(reads, conversationId), page);
      return { items: items.map(toMessage), next, prev };
    },
    async before(conversationId, messageId, limit, characters = Number.POSITIVE_INFINITY) {
      const message = reads.one.get(conversationId, messageId);
      if (!message) return [];
      const earlier = upTo(characters, reads.before.iterate(conversationId, message.seq, limit)).reverse();
      const answers = upTo(characters, reads.answersAfter.iterate(conversationId, message.seq, limit));
      return [...earlier, ...answers, message].map(toSaid);
    },
  };
}

/** The first rows with this many characters in total. */
function upTo(characters: number, rows: Iterable<MessageRow>): MessageRow[] {
  const taken: MessageRow[] = [];
  let length = 0;
  for (const row of rows) {
    length += row.content.length;
    if (length > characters) break;
    taken.push(row);
  }
  return taken;
}

/** Prepares a query for the newest messages at or before a step, oldest first. */
export function newestMessages(
  connection: Connection,
): (conversationId: string, at: number, limit: number) => StoredMessage[] {
  const { before } = prepareMessageReads(connection);
  return (conversationId, at, limit) =>
    before
      .all(conversationId, at + 1, limit)
      .reverse()
      .map(toMessage);
}

function prepareMessageReads(connection: Connection) {
  return {
    after: connection.prepare<[string, number, number], MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    one: connection.prepare<[string, string], MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE conversation_id = ? AND id = ?`,
    ),
    answersAfter: connection.prepare<[string, number, number], MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE conversation_id = ? AND seq > ? AND role <> 'user' ORDER BY seq LIMIT ?`,
    ),
    before: connection.prepare<[string, number, number], MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE conversation_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    ),
  };
}

function messagesOf(
  reads: ReturnType<typeof prepareMessageReads>,
  conversationId: string,
): Keyset<readonly [number], MessageRow> {
  return {
    list: ["messages", conversationId],
    isKey: isNumberKey,
    keyOf: (message) => [message.seq],
    read(cursor, limit) {
      const read = cursor?.direction === "prev" ? reads.before : reads.after;
      return read.iterate(conversationId, cursor?.key[0] ?? 0, limit);
    },
  };
}

function toMessage(row: MessageRow): StoredMessage {
  const { tool_call_id: _, ...message } = toSaid(row);
  return message;
}

function toSaid(row: MessageRow): SaidMessage {
  return {
    ...row,
    created_at: row.created_at === null ? null : toIso(row.created_at),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  };
}
