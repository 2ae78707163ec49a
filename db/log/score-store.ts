import { createHash } from "node:crypto";
import { type Judgement, judgement } from "../../lib/scores/judge.ts";
import { MOST_SCORES, type NewScore, type Score, type ScoreTarget } from "../../lib/scores/score.ts";
import { scoreId } from "../../lib/scores/score-id.ts";
import { Conflict, OutOfRange } from "../errors.ts";
import type { AwaitedPlace, ScoreStore } from "../repositories.ts";
import { toIso } from "../times.ts";
import type { LogWriter } from "./log-writer.ts";

/** What a storage reads of scores. */
export interface ScoreReads {
  /** Oldest first. Null: the conversation does not exist. */
  list(conversationId: string): Promise<Score[] | null>;
  /** The JSON of a judgement. */
  detail(conversationId: string, id: string): Promise<string | null>;
  spent: ScoreStore["spent"];
  reviewed: ScoreStore["reviewed"];
  /** The oldest of those that wait, at most `MOST_SETTLED`. */
  waiting(): Promise<WaitingRow[]>;
  /** The first events whose ids begin with this, at most `LOOKED_AT`, in order. */
  eventsOf(prefix: string): Promise<EventOfSpan[]>;
}

/** A waiting score as the table has it: `target` and `content` are JSON. */
export interface WaitingRow {
  id: string;
  target: string;
  received_at: number;
  content: string;
}

/** An event of a span. */
export interface EventOfSpan {
  conversation_id: string;
  seq: number;
  type: string;
  run_id: string | null;
  call_id: string | null;
}

/** Waiting scores that are looked at in a round: 500 take some 10 ms. */
export const MOST_SETTLED = 500;
/** Of a span: enough to tell what became of it. */
export const LOOKED_AT = 20;

/** Scores, which are written in the transactions of the log. */
export function createScoreStore(writer: LogWriter, reads: ScoreReads): ScoreStore {
  async function put(conversationId: string, score: NewScore, judgement?: Judgement): Promise<Score | null> {
    const known = await reads.list(conversationId);
    if (!known) return null;
    const id = scoreId(score);
    if (known.length >= MOST_SCORES && !known.some((one) => one.id === id))
      throw new Conflict(`The conversation ${conversationId} has ${MOST_SCORES} scores; remove some first`);
    return writer.submit((transaction) => {
      const summary = transaction.summary(conversationId);
      if (!summary) return null;
      const { last_seq } = summary;
      if (score.seq !== null && score.seq > last_seq)
        throw new OutOfRange(`The session has steps 0 to ${last_seq}; score one of them`, last_seq, "seq");
      const at = toIso(transaction.recordedAt);
      return transaction.annotations.saveScore(
        conversationId,
        { ...transaction.annotations.redactedScore(score), at },
        judgement,
      );
    });
  }

  async function placeOf(place: AwaitedPlace): Promise<{ conversation_id: string; target: ScoreTarget } | null> {
    const whole = { seq: null, run_id: null, call_id: null };
    if ("conversation_id" in place) return { conversation_id: place.conversation_id, target: whole };
    const events = await reads.eventsOf(place.events);
    const find = (kind: string) => events.find(({ type }) => type.startsWith(kind));
    const run = find("run.");
    if (run) return { conversation_id: run.conversation_id, target: { ...whole, run_id: run.run_id } };
    const call = find("call.");
    if (call) {
      const { conversation_id, run_id, call_id } = call;
      return { conversation_id, target: { seq: null, run_id, call_id } };
    }
    const step = find("model.responded") ?? events[0];
    return step ? { conversation_id: step.conversation_id, target: { ...whole, seq: step.seq } } : null;
  }

  async function settled({ target, content }: WaitingRow): Promise<boolean> {
    const found = await placeOf(JSON.parse(target));
    if (!found) return false;
    const score: NewScore = { ...JSON.parse(content), ...found.target };
    try {
      return (await put(found.conversation_id, score)) !== null;
    } catch (error) {
      // It has too many, or is being erased.
      if (error instanceof Conflict) return false;
      throw error;
    }
  }

  return {
    list: reads.list,
    put,
    async judgement(conversationId, id) {
      const detail = await reads.detail(conversationId, id);
      return detail === null ? null : judgement.parse(JSON.parse(detail));
    },
    spent: reads.spent,
    reviewed: reads.reviewed,
    async remove(conversationId, id) {
      const known = (await reads.list(conversationId))?.find((score) => score.id === id);
      if (!known) return null;
      return writer.submit((transaction) => {
        transaction.annotations.removeScore(conversationId, id);
        return known;
      });
    },
    keep: (scores) =>
      writer.submit((transaction) => {
        for (const { place, score } of scores) {
          const where = JSON.stringify(place);
          const id = createHash("sha256")
            .update(`${where} ${scoreId(score)}`)
            .digest("hex")
            .slice(0, 24);
          transaction.annotations.keepScore(id, where, JSON.stringify(transaction.annotations.redactedScore(score)));
        }
      }),
    async settle(before) {
      const rows = await reads.waiting();
      const done: string[] = [];
      let dropped = 0;
      for (const row of rows) {
        const isSettled = await settled(row);
        if (!isSettled && row.received_at >= before) continue;
        done.push(row.id);
        if (!isSettled) dropped += 1;
      }
      if (done.length > 0)
        await writer.submit((transaction) => {
          for (const id of done) transaction.annotations.dropKeptScore(id);
        });
      return { waiting: rows.length - done.length, dropped };
    },
  };
}
