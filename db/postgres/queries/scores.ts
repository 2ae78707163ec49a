import type { LogWriter } from "../../log/log-writer.ts";
import { createScoreStore, type EventOfSpan, LOOKED_AT, MOST_SETTLED, type WaitingRow } from "../../log/score-store.ts";
import {
  type ReviewedRow,
  reviewedSince,
  SCORE_COLUMNS,
  type ScoreRow,
  spentMoney,
  spentTokens,
  toReviewed,
  toScore,
} from "../../queries/score-row.ts";
import type { ScoreStore } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { jsonIn } from "./json-text.ts";
import { exists, select } from "./select.ts";

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
    async detail(conversationId, id) {
      const [row] = await queries.rows<{ detail: string | null }>(
        "SELECT detail FROM scores WHERE conversation_id = $1 AND id = $2",
        [conversationId, id],
      );
      return row?.detail ?? null;
    },
    async spent(by, since) {
      const [row] = await queries.rows<{ scores: number; tokens: number; cost: number }>(
        `SELECT count(*) AS scores, ${spentTokens(jsonIn("detail"))} AS tokens, ${spentMoney(jsonIn("detail"))} AS cost FROM scores WHERE at >= $1 AND by = $2`,
        [since, by],
      );
      return row ?? { scores: 0, tokens: 0, cost: 0 };
    },
    reviewed: async (since) => (await select<ReviewedRow>(queries, reviewedSince(since))).map(toReviewed),
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
