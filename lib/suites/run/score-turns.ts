import { type Model, ModelError } from "../../engine/model.ts";
import type { Clock } from "../../engine/ports.ts";
import { askJudge, BEFORE, pause, promptOf, WAITS } from "../../scores/ask-judge.ts";
import { type Evaluator, evaluateTurn } from "../../scores/evaluators.ts";
import { withDelegates } from "../../scores/follow-turns.ts";
import { type Judge, readAnswer } from "../../scores/judge.ts";
import type { ScoreValue } from "../../scores/score.ts";
import type { SessionEvent } from "../../session/event.ts";
import type { Prices } from "../../session/prices.ts";
import { addUsage } from "../../session/runs/usage.ts";
import type { Taken } from "../case.ts";

/** What scores tries: the rules and judges that score turns. */
export interface Scorers {
  rules: readonly Evaluator[];
  judges: readonly Judge[];
  prices: Prices;
  /** A judge's model; null: the server's. */
  modelOf(name: string | null): Model;
}

/** What was said of a try's turns, and what its judges took. */
export interface TryScores {
  scores: { name: string; value: ScoreValue }[];
  judged: Taken["usage"];
  /** Which judge gave no score; null if each did. */
  failure: string | null;
}

/**
 * Scores the turns of a try under these names, as those of other conversations are scored; only what a judge may use on a day and
 * the part of turns that it is meant for do not count. Rejects with the signal's reason.
 */
export async function scoreTurns(
  names: ReadonlySet<string>,
  events: readonly SessionEvent[],
  { rules, judges, prices, modelOf }: Scorers,
  asking: { clock: Clock; signal: AbortSignal },
): Promise<TryScores> {
  const told: TryScores = { scores: [], judged: [], failure: null };
  const wanted = rules.filter(({ name }) => names.has(name));
  for (const [index, { type, run_id, parent_run_id, agent_id }] of events.entries()) {
    if (type !== "run.started" || parent_run_id !== null) continue;
    const turn = withDelegates(events.slice(index), run_id);
    told.scores.push(...evaluateTurn(wanted, turn, prices));
    for (const judge of judges) {
      if (!judge.enabled || !names.has(judge.score) || (judge.agent ?? agent_id) !== agent_id) continue;
      const prompt = promptOf(judge, events.slice(Math.max(0, index - BEFORE), index), turn);
      await askUntilScored(judge, modelOf(judge.model), prompt, told, asking);
      if (told.failure !== null) return told;
    }
  }
  return told;
}

async function askUntilScored(
  judge: Judge,
  model: Model,
  prompt: string,
  told: TryScores,
  asking: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  for (const wait of [...WAITS, null]) {
    asking.signal.throwIfAborted();
    let why = "its answer is not of the scale";
    try {
      const { text, input_tokens, output_tokens } = await askJudge(judge, model, prompt, asking);
      const usage = { model: model.model, responses: 1, unreported: 0, input_tokens, output_tokens };
      told.judged = addUsage(told.judged, usage);
      const read = readAnswer(judge, text);
      if (read) {
        told.scores.push({ name: judge.score, value: read.value });
        return;
      }
    } catch (error) {
      asking.signal.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      why = error.message;
    }
    if (wait === null) told.failure = `The judge ${judge.name} gave no score: ${why}`;
    else await pause(wait, asking);
  }
}
