import { type Model, ModelError, type ModelPart, type ModelRequest } from "../../lib/engine/model.ts";
import type { Clock } from "../../lib/engine/ports.ts";
import type { Saying } from "./example.ts";

/** The size of a streamed piece: about a network packet. */
const PIECE = 60;
/** The part of a response's time before its first piece. */
const SILENCE = 0.4;

/** A model that gives an example's responses at a realistic pace. Any further request fails with a `ModelError`. */
export function scriptedModel(sayings: readonly Saying[], clock: Clock): Model {
  const open = [...sayings];

  async function* respond(request: ModelRequest): AsyncIterable<ModelPart> {
    const place = open.findIndex(({ to }) => to === undefined || mentions(request, to));
    const [saying] = place < 0 ? [] : open.splice(place, 1);
    if (!saying) throw new ModelError("unscripted", "The example does not tell what the model says to this");
    const text = JSON.stringify(saying.answer);
    const pieces = text.match(new RegExp(`.{1,${PIECE}}`, "gsu")) ?? [];
    await sleep(clock, saying.ms * SILENCE);
    for (const delta of pieces) {
      await sleep(clock, (saying.ms * (1 - SILENCE)) / pieces.length);
      yield { type: "text", delta };
    }
    yield { type: "done", answer: answerOf(saying, text, sayings.indexOf(saying) + 1) };
  }

  return { model: "gpt-4.1", provider: "openai", respond };
}

function answerOf({ input_tokens, output_tokens }: Saying, text: string, number: number) {
  const message = { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
  const counts = { input_tokens, output_tokens };
  return { response_id: `resp_${number}`, text, calls: [], output: [message], ...counts, finish_reason: "stop" };
}

/** Data is sent as JSON text. */
function mentions({ input }: ModelRequest, words: string): boolean {
  return input.some(({ content }) => typeof content === "string" && content.includes(JSON.stringify(words)));
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.later(ms, resolve));
}
