import type { Json, JsonObject } from "../../session/json/json.ts";
import { type Model, ModelError, type ModelPart, type ModelRequest } from "../model.ts";

/** A native function call; its arguments as they are written. */
interface Native {
  call_id: string;
  name: string;
  arguments: string;
}

export type Said = { calls?: JsonObject[]; output?: Json } | { native: Native[]; text?: string } | Error;

/** A whole answer as it streams in: words as they are, anything else as JSON, after native calls. */
export async function* streamed(said: string | JsonObject, calls: Native[] = []): AsyncIterable<ModelPart> {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  for (const delta of text.match(/.{1,20}/gsu) ?? []) yield { type: "text", delta };
  const used = { input_tokens: 100, output_tokens: 10, finish_reason: "stop" };
  yield { type: "done", answer: { response_id: "r", text, calls, output: [], ...used } };
}

/** A model that says one thing after another, and what it was asked. */
export function scripted(...sayings: Said[]): { model: Model; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  async function* respond(request: ModelRequest): AsyncIterable<ModelPart> {
    asked.push(structuredClone(request));
    const saying = sayings[asked.length - 1];
    if (!saying) throw new ModelError("unscripted", "nothing is left to say");
    if (saying instanceof Error) throw saying;
    const calls = "native" in saying ? saying.native : [];
    for (const call of calls) yield { type: "call", ...call };
    yield* streamed("native" in saying ? (saying.text ?? "") : { ...saying }, calls);
  }
  return { model: { model: "m", provider: "p", respond }, asked };
}
