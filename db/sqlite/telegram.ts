import type { Redact } from "../payload/stored-payload.ts";
import type { TelegramProgress, TelegramStore } from "../repositories.ts";
import { REMEMBERED_UPDATES_MS } from "../telegram.ts";
import type { Connection } from "./connection.ts";
import type { Writer } from "./log/writer.ts";

/** The state of the Telegram channel, on the writer's connection, in its transactions. */
export function createTelegramStore(
  writing: Connection,
  reading: Connection,
  writer: Writer,
  redact: Redact,
): TelegramStore {
  const writes = prepareTelegramWrites(writing);
  const reads = prepareTelegramReads(reading);
  return {
    receive: ({ update_id, conversation_id, update }) =>
      writer.submit(({ recordedAt, head }) => {
        writes.forget.run(recordedAt - REMEMBERED_UPDATES_MS);
        writes.follow.run(conversation_id, head);
        return writes.receive.run(update_id, conversation_id, JSON.stringify(redact(update))).changes === 1;
      }),
    async waiting() {
      return reads.waiting.all();
    },
    async unhandled(conversationId) {
      return reads.unhandled
        .all(conversationId)
        .map(({ content, ...place }) => ({ ...place, update: JSON.parse(content) }));
    },
    handled: (updateId) =>
      writer.submit(({ recordedAt }) => {
        writes.handled.run(recordedAt, updateId);
      }),
    follow: (name) =>
      writer.submit(({ head }) => {
        writes.follow.run(name, head);
      }),
    async behind() {
      return reads.behind.all();
    },
    async progress(name) {
      return reads.progress.get(name) ?? null;
    },
    advance: (name, { position, parts }) =>
      writer.submit(() => {
        writes.advance.run(position, parts, name);
      }),
  };
}

function prepareTelegramWrites(connection: Connection) {
  return {
    forget: connection.prepare<[number]>("DELETE FROM telegram_updates WHERE handled_at < ?"),
    follow: connection.prepare<[name: string, position: number]>(
      "INSERT INTO telegram_progress (name, position, parts) VALUES (?, ?, 0) ON CONFLICT (name) DO NOTHING",
    ),
    receive: connection.prepare<[update_id: number, conversation_id: string, content: string]>(
      `INSERT INTO telegram_updates (update_id, conversation_id, content) VALUES (?, ?, ?)
       ON CONFLICT (update_id) DO NOTHING`,
    ),
    handled: connection.prepare<[handled_at: number, update_id: number]>(
      "UPDATE telegram_updates SET handled_at = ?, content = NULL WHERE update_id = ?",
    ),
    advance: connection.prepare<[position: number, parts: number, name: string]>(
      "UPDATE telegram_progress SET position = ?, parts = ? WHERE name = ?",
    ),
  };
}

function prepareTelegramReads(connection: Connection) {
  return {
    waiting: connection
      .prepare<[], string>("SELECT DISTINCT conversation_id FROM telegram_updates WHERE handled_at IS NULL")
      .pluck(),
    unhandled: connection.prepare<[string], { update_id: number; conversation_id: string; content: string }>(
      `SELECT update_id, conversation_id, content FROM telegram_updates
       WHERE conversation_id = ? AND handled_at IS NULL ORDER BY update_id`,
    ),
    // By the newest message of each: reading what follows would read the ends of all conversations at every start.
    behind: connection
      .prepare<[], string>(
        `SELECT name FROM telegram_progress AS progress WHERE position <
           (SELECT position FROM messages WHERE conversation_id = progress.name ORDER BY seq DESC LIMIT 1)`,
      )
      .pluck(),
    progress: connection.prepare<[string], TelegramProgress>(
      "SELECT position, parts FROM telegram_progress WHERE name = ?",
    ),
  };
}
