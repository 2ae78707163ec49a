import { type Model, type ModelAnswer, ModelError } from "../engine/model.ts";
import type { Clock } from "../engine/ports.ts";
import type { SessionEvent } from "../session/event.ts";
import { answerFormat, fillPrompt, INSTRUCTIONS, type Judge } from "./judge.ts";
import { transcriptOf } from "./transcript.ts";

/** How often a judge is asked about a turn again, and how long it waits before, ms. */
export const WAITS = [2_000, 10_000];
/** How long an answer may take, ms. */
const PATIENCE_MS = 60_000;
/** How many events before a turn are looked through for messages. */
export const BEFORE = 30;

/** What a judge is asked about a turn. Of the events `before` it, messages are read. */
export function promptOf(judge: Judge, before: readonly SessionEvent[], turn: readonly SessionEvent[]): string {
  return fillPrompt(judge, transcriptOf(before, turn));
}

/** Asks a judge's model once. Rejects with a `ModelError`, or with the signal's reason. */
export async function askJudge(
  judge: Judge,
  model: Model,
  prompt: string,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<ModelAnswer> {
  const late = new AbortController();
  const cancel = clock.later(PATIENCE_MS, () => late.abort(new ModelError("timeout", "The judge took too long")));
  try {
    const request = {
      instructions: INSTRUCTIONS,
      input: [{ role: "user", content: prompt }],
      tools: [],
      format: answerFormat(judge),
      previous_response_id: null,
      store: false,
    };
    for await (const part of model.respond(request, AbortSignal.any([signal, late.signal])))
      if (part.type === "done") return part.answer;
    throw new ModelError("no_answer", "The judge gave no answer");
  } finally {
    cancel();
  }
}

/** Waits, or until the signal is aborted. */
export function pause(ms: number, { clock, signal }: { clock: Clock; signal: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.later(ms, done);
    signal.addEventListener("abort", done);
  });
}
