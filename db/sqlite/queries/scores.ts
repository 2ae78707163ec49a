import type { ReviewedScore } from "../../../lib/scores/agreement.ts";
import type { LogWriter } from "../../log/log-writer.ts";
import { createScoreStore, type EventOfSpan, LOOKED_AT, MOST_SETTLED, type WaitingRow } from "../../log/score-store.ts";
import { idsFrom } from "../../payload/stored-spans.ts";
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
import type { Connection } from "../connection.ts";
import { positionsOf } from "../events-by-id.ts";

/** Scores in SQLite; they are written in the writer's transactions. */
export function createScores(
  reading: Connection,
  writer: LogWriter,
  /** Takes time, so it is read in a thread. */
  reviewed: ScoreStore["reviewed"],
): ScoreStore {
  const exists = reading.prepare<[string], 1>("SELECT 1 FROM conversations WHERE id = ?").pluck();
  const list = reading.prepare<[string], ScoreRow>(
    `SELECT ${SCORE_COLUMNS} FROM scores WHERE conversation_id = ? ORDER BY at, id`,
  );
  const waiting = reading.prepare<[], WaitingRow>(
    `SELECT id, target, received_at, content FROM waiting_scores ORDER BY received_at LIMIT ${MOST_SETTLED}`,
  );
  const ofSpan = reading.prepare<[{ from: string; to: string }], EventOfSpan>(
    `SELECT conversation_id, seq, type, run_id, call_id FROM events
     WHERE position IN (${positionsOf((id) => `${id} >= :from AND ${id} < :to`, ":from")}) AND conversation_id IS NOT NULL
     ORDER BY position LIMIT ${LOOKED_AT}`,
  );
  const detail = reading
    .prepare<[string, string], string | null>("SELECT detail FROM scores WHERE conversation_id = ? AND id = ?")
    .pluck();
  const spent = reading.prepare<[number, string], { scores: number; tokens: number; cost: number }>(
    `SELECT count(*) AS scores, ${spentTokens("detail")} AS tokens, ${spentMoney("detail")} AS cost FROM scores WHERE at >= ? AND by = ?`,
  );
  return createScoreStore(writer, {
    reviewed,
    detail: async (...place) => detail.get(...place) ?? null,
    spent: async (by, since) => spent.get(since, by) ?? { scores: 0, tokens: 0, cost: 0 },
    list: async (id) => (exists.get(id) === undefined ? null : list.all(id).map(toScore)),
    waiting: async () => waiting.all(),
    eventsOf: async (prefix) => ofSpan.all(idsFrom(prefix)),
  });
}

/** The scores that agreement is measured by. */
export function readReviewed(connection: Connection, since: number): ReviewedScore[] {
  const { text, values } = reviewedSince(since);
  return connection
    .prepare<unknown[], ReviewedRow>(text)
    .all(...values)
    .map(toReviewed);
}
