import type { Redact } from "../payload/stored-payload.ts";
import type { TelegramProgress, TelegramStore } from "../repositories.ts";
import { REMEMBERED_UPDATES_MS } from "../telegram.ts";
import type { Queries } from "./database.ts";
import type { PostgresWriter } from "./log/writer.ts";

const FOLLOW = "INSERT INTO telegram_progress (name, position, parts) VALUES ($1, $2, 0) ON CONFLICT (name) DO NOTHING";

/** What the Telegram channel keeps. */
export function createTelegramStore(database: Queries, writer: PostgresWriter, redact: Redact): TelegramStore {
  return {
    receive: ({ update_id, conversation_id, update }) =>
      writer.submitDirect(async (queries, { recordedAt, head }) => {
        const oldest = recordedAt - REMEMBERED_UPDATES_MS;
        await queries.run("DELETE FROM telegram_updates WHERE handled_at < $1", [oldest]);
        await queries.run(FOLLOW, [conversation_id, head]);
        const changes = await queries.run(
          `INSERT INTO telegram_updates (update_id, conversation_id, content) VALUES ($1, $2, $3)
           ON CONFLICT (update_id) DO NOTHING`,
          [update_id, conversation_id, JSON.stringify(redact(update))],
        );
        return changes === 1;
      }),
    async waiting() {
      const rows = await database.rows<{ conversation_id: string }>(
        "SELECT DISTINCT conversation_id FROM telegram_updates WHERE handled_at IS NULL",
      );
      return rows.map(({ conversation_id }) => conversation_id);
    },
    async unhandled(conversationId) {
      const rows = await database.rows<{ update_id: number; conversation_id: string; content: string }>(
        `SELECT update_id, conversation_id, content FROM telegram_updates
         WHERE conversation_id = $1 AND handled_at IS NULL ORDER BY update_id`,
        [conversationId],
      );
      return rows.map(({ content, ...place }) => ({ ...place, update: JSON.parse(content) }));
    },
    async handled(updateId) {
      await database.run("UPDATE telegram_updates SET handled_at = $1, content = NULL WHERE update_id = $2", [
        Date.now(),
        updateId,
      ]);
    },
    follow: (name) =>
      writer.submitDirect(async (queries, { head }) => {
        await queries.run(FOLLOW, [name, head]);
      }),
    async behind() {
      const rows = await database.rows<{ name: string }>(
        `SELECT name FROM telegram_progress AS progress WHERE position <
           (SELECT position FROM messages WHERE conversation_id = progress.name ORDER BY seq DESC LIMIT 1)`,
      );
      return rows.map(({ name }) => name);
    },
    async progress(name) {
      const [progress] = await database.rows<TelegramProgress>(
        "SELECT position, parts FROM telegram_progress WHERE name = $1",
        [name],
      );
      return progress ?? null;
    },
    async advance(name, { position, parts }) {
      // Never back: a replica that was frozen after it had sent something may be overtaken by another one.
      await database.run(
        "UPDATE telegram_progress SET position = $1, parts = $2 WHERE name = $3 AND (position, parts) < ($1, $2)",
        [position, parts, name],
      );
    },
  };
}
