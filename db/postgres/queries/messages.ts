import type { Message } from "../../../lib/session/session.ts";
import { isNumberKey, type RemoteKeyset, readRemotePage } from "../../queries/cursor.ts";
import type { Messages, SaidMessage } from "../../repositories.ts";
import { toIso } from "../../times.ts";
import type { Queries } from "../database.ts";

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

const SELECT =
  "SELECT id, seq, role, content, name, tool_call_id, run_id, created_at, metadata FROM messages WHERE conversation_id = $1";
const AFTER = `${SELECT} AND seq > $2 ORDER BY seq LIMIT $3`;
const BEFORE = `${SELECT} AND seq < $2 ORDER BY seq DESC LIMIT $3`;
const ANSWERS_AFTER = `${SELECT} AND seq > $2 AND role <> 'user' ORDER BY seq LIMIT $3`;

/** Messages of a conversation, oldest first (E1). */
export function createMessages(queries: Queries): Messages {
  return {
    async list(conversationId, page) {
      const { items, next, prev } = await readRemotePage(messagesOf(queries, conversationId), page);
      return { items: items.map(withoutCall), next, prev };
    },
    async before(conversationId, messageId, limit, characters = Number.POSITIVE_INFINITY) {
      const [message] = await queries.rows<MessageRow>(`${SELECT} AND id = $2`, [conversationId, messageId]);
      if (!message) return [];
      const [earlier, answers] = await Promise.all([
        queries.rows<MessageRow>(BEFORE, [conversationId, message.seq, limit]),
        queries.rows<MessageRow>(ANSWERS_AFTER, [conversationId, message.seq, limit]),
      ]);
      const said = [upTo(characters, earlier.map(toSaid)).reverse(), upTo(characters, answers.map(toSaid))];
      return [...said.flat(), toSaid(message)];
    },
  };
}

/** The newest messages at or before a step, oldest first. */
export async function newestMessages(queries: Queries, conversationId: string, at: number, limit: number) {
  const rows = await queries.rows<MessageRow>(BEFORE, [conversationId, at + 1, limit]);
  return rows.reverse().map(toSaid).map(withoutCall);
}

/** The first messages that have so many characters in all. */
function upTo(characters: number, messages: readonly SaidMessage[]): SaidMessage[] {
  let length = 0;
  const end = messages.findIndex(({ content }) => {
    length += content.length;
    return length > characters;
  });
  return messages.slice(0, end === -1 ? messages.length : end);
}

function messagesOf(queries: Queries, conversationId: string): RemoteKeyset<readonly [number], SaidMessage> {
  return {
    list: ["messages", conversationId],
    isKey: isNumberKey,
    keyOf: ({ seq }) => [seq],
    async read(cursor, limit) {
      const text = cursor?.direction === "prev" ? BEFORE : AFTER;
      return (await queries.rows<MessageRow>(text, [conversationId, cursor?.key[0] ?? 0, limit])).map(toSaid);
    },
  };
}

function withoutCall({ tool_call_id: _, ...message }: SaidMessage): Omit<Message, "content"> & { content: string } {
  return message;
}

function toSaid(row: MessageRow): SaidMessage {
  return {
    ...row,
    content: JSON.parse(row.content),
    created_at: row.created_at === null ? null : toIso(row.created_at),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  };
}
