import type { Connection } from "../connection.ts";
import type { HeldTraces, Undo } from "../held-traces.ts";
import { prepareSpanParts } from "../span-parts.ts";

/** Runs of a conversation that nobody carries on any more: their keys may name a person. */
const FORGET_RUN_OWNERS = `DELETE FROM run_owners WHERE run_id IN (SELECT run_id FROM events
  WHERE conversation_id = :id AND type = 'run.started' AND origin = 'engine')`;

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
  const runOwners = connection.prepare<[{ id: string }]>(FORGET_RUN_OWNERS);
  const parts = prepareSpanParts(connection);
  /** What does not wait any more may still be on disk, beside what does. */
  const clearParts = () => {
    for (const part of held.staleParts()) parts.rewrite(part);
  };
  return {
    conversation(id: string, renamed: string): void {
      updates.run({ id, renamed });
      progress.run(id);
      runOwners.run({ id });
      spans.run(id);
      clearParts();
    },
    /** Waiting traces that contain the name of a user or a conversation. */
    traces(name: string, undo: Undo): void {
      // As JSON has it.
      const printed = JSON.stringify(name).slice(1, -1);
      spansNaming.run(printed);
      for (const trace of held.tracesWith(printed)) {
        const gone = held.letGo(trace);
        undo.push(gone.undo);
        for (const part of gone.parts) parts.rewrite(part);
      }
      clearParts();
    },
  };
}
