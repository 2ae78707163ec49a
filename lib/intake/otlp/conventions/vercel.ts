import { isJsonObject, type Json } from "../../../session/json/json.ts";
import type { Attributes } from "../attributes.ts";
import { type Doing, type SpanMessage, toolDoing } from "../span.ts";
import { instructionsOf, messagesOf, said } from "./messages.ts";

/** Vercel's AI SDK with its own names, `ai.*`. Null for other spans. Source: https://ai-sdk.dev/docs/ai-sdk-core/telemetry */
export function vercelDoing(attributes: Attributes): Doing | null {
  const operation = attributes.text("ai.operationId");
  if (operation === null) return null;
  if (operation === "ai.toolCall") return tool(attributes);
  if (/\.do(Generate|Stream)$/u.test(operation)) return model(attributes);
  return /^ai\.(generate|stream)(Text|Object)$/u.test(operation) ? agent(attributes) : { kind: "other" };
}

function agent(attributes: Attributes): Doing {
  const prompt = attributes.json("ai.prompt");
  const asked = isJsonObject(prompt) ? (prompt.messages ?? prompt.prompt) : prompt;
  const instructions = isJsonObject(prompt) ? instructionsOf(prompt.system) : null;
  return { kind: "agent", instructions, input: messagesOf(asked, "user"), output: answer(attributes) };
}

function model(attributes: Attributes): Doing {
  const prompt = attributes.json("ai.prompt");
  return {
    kind: "model",
    provider: attributes.text("gen_ai.system", "ai.model.provider") ?? "",
    model: attributes.text("gen_ai.response.model", "ai.response.model", "gen_ai.request.model", "ai.model.id") ?? "",
    response_id: attributes.text("gen_ai.response.id", "ai.response.id"),
    finish_reason: attributes.text("ai.response.finishReason"),
    instructions: isJsonObject(prompt) ? instructionsOf(prompt.system) : null,
    input: messagesOf(attributes.json("ai.prompt.messages") ?? prompt, "user"),
    output: answer(attributes),
    input_tokens: attributes.count("ai.usage.inputTokens", "ai.usage.promptTokens", "gen_ai.usage.input_tokens"),
    output_tokens: attributes.count("ai.usage.outputTokens", "ai.usage.completionTokens", "gen_ai.usage.output_tokens"),
    parameters: attributes.under("gen_ai.request."),
  };
}

function answer(attributes: Attributes): SpanMessage[] {
  const text = attributes.text("ai.response.text");
  const object = attributes.json("ai.response.object");
  const calls = attributes.json("ai.response.toolCalls");
  const parts = [
    ...(text === null ? [] : said("assistant", text).parts),
    ...(object === undefined ? [] : said("assistant", JSON.stringify(object)).parts),
    ...messagesOf(Array.isArray(calls) ? calls.map(typed) : undefined, "assistant").flatMap((message) => message.parts),
  ];
  return parts.length === 0 ? [] : [{ role: "assistant", name: null, parts }];
}

function typed(call: Json): Json {
  return isJsonObject(call) ? { ...call, type: "tool-call" } : call;
}

function tool(attributes: Attributes): Doing {
  return toolDoing({
    tool: attributes.text("ai.toolCall.name") ?? "tool",
    call_id: attributes.text("ai.toolCall.id"),
    arguments: attributes.json("ai.toolCall.args") ?? null,
    result: attributes.json("ai.toolCall.result") ?? null,
  });
}
