import type { Connection } from "../connection.ts";
import type { HeldTraces } from "../held-traces.ts";

/** Erases what is queued outside the log, incoming or outgoing. Must be called in a transaction of the writer. */
export function createWaitingEraser(connection: Connection, held: HeldTraces) {
  // The id stays, so that an update that is delivered again is recognized.
  const updates = connection.prepare<[{ id: string; renamed: string }]>(
    `UPDATE telegram_updates SET content = NULL, handled_at = coalesce(handled_at, 0), conversation_id = :renamed
     WHERE conversation_id = :id`,
  );
  const progress = connection.prepare<[string]>("DELETE FROM telegram_progress WHERE name = ?");
  const spans = connection.prepare<[string]>(
    `DELETE FROM spans WHERE trace_id IN (SELECT substr(events.id, 6, 32) FROM events
       WHERE conversation_id = ? AND events.id GLOB 'otlp:*')`,
  );
  const spansNaming = connection.prepare<[string]>(
    "DELETE FROM spans WHERE trace_id IN (SELECT trace_id FROM spans WHERE instr(content, ?) > 0)",
  );
  return {
    conversation(id: string, renamed: string): void {
      updates.run({ id, renamed });
      progress.run(id);
      spans.run(id);
      held.letAllGo();
    },
    /** Waiting traces that contain the name of a user or a conversation. */
    traces(name: string): void {
      // As it is in JSON.
      spansNaming.run(JSON.stringify(name).slice(1, -1));
      held.letAllGo();
    },
  };
}
