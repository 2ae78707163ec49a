import { createHash } from "node:crypto";
import type { Events, ScoreStore } from "../../db/repositories.ts";
import { type Model, ModelError } from "../engine/model.ts";
import type { Clock } from "../engine/ports.ts";
import type { SessionEvent } from "../session/event.ts";
import { costOf, type Prices } from "../session/prices.ts";
import { askJudge, BEFORE, pause, promptOf, WAITS } from "./ask-judge.ts";
import { type Judge, type Judgement, judgedBy, judgedScore, readAnswer } from "./judge.ts";

interface Needs {
  judges: { list(): readonly Judge[] };
  /** The model of this name; null: the server's. */
  modelOf(name: string | null): Model;
  prices: Prices;
  events: Pick<Events, "list">;
  scores: Pick<ScoreStore, "list" | "put" | "spent">;
  clock: Clock;
  logger: { warn(fields: object, message: string): void };
  /** Ends what is asked. */
  stopping: AbortSignal;
}

/** Turns that ended longer ago are passed over, so that what is behind does not grow, ms. */
const LATEST_MS = 3_600_000;
const CHARACTERS_PER_TOKEN = 3;
const DAY_MS = 86_400_000;

/**
 * Has models judge a turn that has ended: each judge that is meant for it, within its budget of the day. A judge that gives no
 * answer is asked again twice, and then passed over: nothing waits for it but the next turn to be judged.
 */
export function createJudging(needs: Needs): (conversationId: string, turn: readonly SessionEvent[]) => Promise<void> {
  const { judges, modelOf, prices, events, scores, clock, logger, stopping } = needs;
  const asking = { clock, signal: stopping };
  /** By judge: the day, and the tokens used on it. Asks that failed are counted here only. */
  const used = new Map<string, Used>();

  async function usedToday(name: string): Promise<Used> {
    const day = Math.floor(clock.now() / DAY_MS);
    const known = used.get(name);
    if (known?.day === day) return known;
    const { tokens, cost } = await scores.spent(judgedBy(name), day * DAY_MS);
    const fresh = { day, tokens, cost };
    used.set(name, fresh);
    return fresh;
  }

  async function judgeTurn(judge: Judge, conversationId: string, turn: readonly SessionEvent[]): Promise<void> {
    const [start] = turn;
    if (!start || (await isJudged(judge, conversationId, turn))) return;
    const before = await events.list(conversationId, { after: Math.max(0, start.seq - 1 - BEFORE), limit: BEFORE });
    const prompt = promptOf(
      judge,
      before.filter(({ seq }) => seq < start.seq),
      turn,
    );
    const budget = await usedToday(judge.name);
    const model = modelOf(judge.model);
    if (isSpent(judge, model, budget, prompt.length / CHARACTERS_PER_TOKEN)) return;
    for (let attempt = 0; !stopping.aborted; attempt += 1) {
      const failure = await attemptOnce(judge, model, prompt, budget, conversationId, start.run_id);
      if (failure === null) return;
      const wait = WAITS[attempt];
      if (wait === undefined || isSpent(judge, model, budget, 0)) {
        logger.warn({ ...failure, judge: judge.name, conversation_id: conversationId }, "A judge gave no score");
        return;
      }
      await pause(wait, asking);
    }
  }

  /** Whether so many tokens more are beyond what the judge may use today. Without a price nothing is known to be within a cost. */
  function isSpent({ daily_tokens, daily_cost }: Judge, { model }: Model, used: Used, more: number): boolean {
    if (used.tokens + more > daily_tokens) return true;
    if (daily_cost === null) return false;
    const cost = costOf([{ model, input_tokens: more, output_tokens: 0 }], prices);
    return cost === null || used.cost + (cost[0]?.amount ?? 0) > daily_cost;
  }

  /** A replica that takes over begins where it was itself: what another one has judged since is paid for already. */
  async function isJudged(judge: Judge, conversationId: string, turn: readonly SessionEvent[]): Promise<boolean> {
    const [start] = turn;
    const ended = turn.at(-1)?.recorded_at ?? "";
    const given = (await scores.list(conversationId)) ?? [];
    return given.some(
      ({ by, name, run_id, at }) =>
        by === judgedBy(judge.name) && name === judge.score && run_id === start?.run_id && at >= ended,
    );
  }

  /** Null once the score is stored, otherwise why there is none. */
  async function attemptOnce(
    judge: Judge,
    model: Model,
    prompt: string,
    budget: Used,
    conversationId: string,
    runId: string | null,
  ): Promise<object | null> {
    try {
      const answer = await askJudge(judge, model, prompt, asking);
      const { text, input_tokens, output_tokens } = answer;
      budget.tokens += input_tokens + output_tokens;
      const cost = costOf([{ model: model.model, input_tokens, output_tokens }], prices);
      budget.cost += cost?.[0]?.amount ?? 0;
      const read = readAnswer(judge, text);
      if (!read) return { reason: "The answer is not of the scale" };
      const judgement: Judgement = { model: model.model, prompt, answer: text, input_tokens, output_tokens, cost };
      await scores.put(conversationId, judgedScore(judge, runId, read), judgement);
      return null;
    } catch (error) {
      if (error instanceof ModelError || stopping.aborted) return { err: error };
      // Too many scores, or being erased: asking again changes nothing.
      if (error instanceof Error && "code" in error && error.code === "conflict") return null;
      throw error;
    }
  }

  return async (conversationId, turn) => {
    const [start] = turn;
    const end = turn.at(-1);
    if (!start || !end || clock.now() - Date.parse(end.recorded_at) > LATEST_MS) return;
    for (const judge of judges.list()) {
      if (!judge.enabled || (judge.agent !== null && judge.agent !== start.agent_id)) continue;
      if (!isChosen(judge, start.run_id)) continue;
      await judgeTurn(judge, conversationId, turn);
    }
  };
}

/** Whether any judge may have something to judge in the turn that an event ends: its agent is known by its start only. */
export function mayJudge(judges: readonly Judge[], { run_id }: Pick<SessionEvent, "run_id">): boolean {
  return judges.some((judge) => judge.enabled && isChosen(judge, run_id));
}

/** What a judge has used on a day, since 1970: tokens, and what they cost. */
interface Used {
  day: number;
  tokens: number;
  cost: number;
}

/** The same turns each time: a sample by their ids. */
export function isChosen({ name, share }: Pick<Judge, "name" | "share">, runId: string | null): boolean {
  const hash = createHash("sha256").update(`${name} ${runId}`).digest();
  return hash.readUInt32BE(0) / 2 ** 32 < share;
}
