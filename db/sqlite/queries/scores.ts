import type { LogWriter } from "../../log/log-writer.ts";
import { createScoreStore, type EventOfSpan, LOOKED_AT, MOST_SETTLED, type WaitingRow } from "../../log/score-store.ts";
import { SCORE_COLUMNS, type ScoreRow, toScore } from "../../queries/score-row.ts";
import type { ScoreStore } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** Scores in SQLite; they are written in the writer's transactions. */
export function createScores(reading: Connection, writer: LogWriter): ScoreStore {
  const exists = reading.prepare<[string], 1>("SELECT 1 FROM conversations WHERE id = ?").pluck();
  const list = reading.prepare<[string], ScoreRow>(
    `SELECT ${SCORE_COLUMNS} FROM scores WHERE conversation_id = ? ORDER BY at, id`,
  );
  const waiting = reading.prepare<[], WaitingRow>(
    `SELECT id, target, received_at, content FROM waiting_scores ORDER BY received_at LIMIT ${MOST_SETTLED}`,
  );
  const first = reading.prepare<[from: string, to: string], EventOfSpan>(
    `SELECT conversation_id, seq, type, run_id, call_id FROM events
     WHERE id >= ? AND id < ? AND conversation_id IS NOT NULL ORDER BY position LIMIT ${LOOKED_AT}`,
  );
  return createScoreStore(writer, {
    list: async (id) => (exists.get(id) === undefined ? null : list.all(id).map(toScore)),
    waiting: async () => waiting.all(),
    eventsOf: async (prefix) => first.all(prefix, `${prefix}\u{10ffff}`),
  });
}
