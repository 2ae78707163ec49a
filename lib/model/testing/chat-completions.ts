import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { readJson } from "../../session/json/json-text.ts";
import type { AnswerEvent } from "../answer-writer.ts";

/** A request for a chat completion in the terms of the Responses API. */
export function asResponsesRequest({ messages, tools, response_format, ...rest }: JsonObject): JsonObject {
  const all = objectsIn(messages);
  const system = all[0]?.role === "system" ? all[0] : null;
  const format = isJsonObject(response_format) ? response_format.json_schema : undefined;
  return {
    ...rest,
    instructions: system?.content ?? null,
    input: all.slice(system ? 1 : 0).flatMap(itemsOf),
    ...(tools === undefined ? {} : { tools: objectsIn(tools).map(toolOf) }),
    ...(isJsonObject(format) ? { text: { format: { type: "json_schema", ...format } } } : {}),
  };
}

/** The chunk for an event of a streamed response; null for events that have none. Its end has two, and a mark. */
export function chunksOf(event: AnswerEvent, { model = "" }: JsonObject): string[] {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_780_000_000, model };
  const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
    JSON.stringify({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null });
  const response = isJsonObject(event.response) ? event.response : {};
  const item = isJsonObject(event.item) ? event.item : {};
  // Calls are numbered apart from texts.
  const index = Number(event.output_index ?? 0);
  switch (event.type) {
    case "response.created":
      return [chunk({ role: "assistant", content: "" })];
    case "response.output_text.delta":
      return [chunk({ content: event.delta ?? "" })];
    case "response.refusal.delta":
      return [chunk({ refusal: event.delta ?? "" })];
    case "response.output_item.added":
      if (item.type !== "function_call") return [];
      return [
        chunk({
          tool_calls: [
            { index, id: item.call_id ?? "", type: "function", function: { name: item.name ?? "", arguments: "" } },
          ],
        }),
      ];
    case "response.function_call_arguments.delta":
      return [chunk({ tool_calls: [{ index, function: { arguments: event.delta ?? "" } }] })];
    case "response.failed":
      return [JSON.stringify({ error: response.error ?? null })];
    case "response.completed":
    case "response.incomplete": {
      const usage = isJsonObject(response.usage) ? response.usage : {};
      const counts = { prompt_tokens: usage.input_tokens ?? 0, completion_tokens: usage.output_tokens ?? 0 };
      return [
        chunk({}, finishReason(response)),
        JSON.stringify({ ...head, choices: [], usage: { ...counts, total_tokens: usage.total_tokens ?? 0 } }),
        "[DONE]",
      ];
    }
    default:
      return [];
  }
}

function finishReason({ incomplete_details, output }: JsonObject): string {
  const reason = isJsonObject(incomplete_details) ? incomplete_details.reason : undefined;
  if (reason !== undefined) return reason === "max_output_tokens" ? "length" : String(reason);
  return objectsIn(output).some(({ type }) => type === "function_call") ? "tool_calls" : "stop";
}

function itemsOf({ role, content, tool_calls, tool_call_id }: JsonObject): JsonObject[] {
  if (role === "tool")
    return [{ type: "function_call_output", call_id: tool_call_id ?? null, output: content ?? null }];
  const calls = objectsIn(tool_calls).map((call): JsonObject => {
    const named = isJsonObject(call.function) ? call.function : {};
    return { type: "function_call", call_id: call.id ?? null, ...named };
  });
  const texts = role === "user" ? separated(String(content)) : content === null ? [] : [String(content)];
  return [...texts.map((text): JsonObject => ({ role: role ?? null, content: text })), ...calls];
}

/** The messages that the client has joined: data is JSON of one line, and words between data are one message. */
function separated(content: string): string[] {
  const texts: string[] = [];
  let afterData = true;
  for (const part of content.split("\n\n")) {
    const isData = part.startsWith("{") && readJson(part, 64, "as_written").ok;
    if (isData || afterData) texts.push(part);
    else texts.push(`${texts.pop()}\n\n${part}`);
    afterData = isData;
  }
  return texts;
}

function toolOf({ function: named }: JsonObject): JsonObject {
  return { type: "function", ...(isJsonObject(named) ? named : {}) };
}

function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
