import type { LogWriter } from "../../log/log-writer.ts";
import { createScoreStore, type EventOfSpan, LOOKED_AT, MOST_SETTLED, type WaitingRow } from "../../log/score-store.ts";
import { SCORE_COLUMNS, type ScoreRow, toScore } from "../../queries/score-row.ts";
import type { ScoreStore } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { exists } from "./select.ts";

export function createScores(queries: Queries, writer: LogWriter): ScoreStore {
  return createScoreStore(writer, {
    async list(id) {
      if (!(await exists(queries, id))) return null;
      const rows = await queries.rows<ScoreRow>(
        `SELECT ${SCORE_COLUMNS} FROM scores WHERE conversation_id = $1 ORDER BY at, id`,
        [id],
      );
      return rows.map(toScore);
    },
    waiting: () =>
      queries.rows<WaitingRow>(
        `SELECT id, target, received_at, content FROM waiting_scores ORDER BY received_at LIMIT ${MOST_SETTLED}`,
      ),
    eventsOf: (prefix) =>
      queries.rows<EventOfSpan>(
        `SELECT conversation_id, seq, type, run_id, call_id FROM events
         WHERE id >= $1 AND id < $2 AND conversation_id IS NOT NULL ORDER BY position LIMIT ${LOOKED_AT}`,
        [prefix, `${prefix}\u{10ffff}`],
      ),
  });
}
