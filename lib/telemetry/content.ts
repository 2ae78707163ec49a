import type { KnownEvent } from "../session/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import { parseAsWritten } from "../session/json/json-number.ts";

/** The maximum length of an attribute's value; collectors refuse much larger ones. */
const LONGEST = 64_000;

/** The content of an event as attributes of the conventions. */
export function contentOf(event: KnownEvent, prompt?: string): Record<string, string> {
  switch (event.type) {
    case "run.started":
      return event.payload.input === undefined
        ? {}
        : { "gen_ai.input.messages": messages([{ role: "user", parts: [text(event.payload.input)] }]) };
    case "run.finished":
      return event.payload.output === undefined
        ? {}
        : { "gen_ai.output.messages": messages([answer([text(event.payload.output)], "stop")]) };
    case "model.requested":
      return {
        ...(prompt !== undefined && { "gen_ai.system_instructions": messages([text(prompt)]) }),
        ...(event.payload.input !== undefined && { "gen_ai.input.messages": messages(inputOf(event.payload.input)) }),
      };
    case "model.responded":
      return event.payload.output === undefined
        ? {}
        : {
            "gen_ai.output.messages": messages([
              answer(outputOf(event.payload.output), event.payload.finish_reason ?? "stop"),
            ]),
          };
    case "call.started":
      return event.payload.params === undefined ? {} : { "gen_ai.tool.call.arguments": value(event.payload.params) };
    case "call.succeeded":
    case "call.superseded":
      return event.payload.output === undefined ? {} : { "gen_ai.tool.call.result": value(event.payload.output) };
    default:
      return {};
  }
}

/** The input of a request, as messages of the conventions. */
function inputOf(input: Json): JsonObject[] {
  const items = isJsonObject(input) ? input.input : input;
  return (Array.isArray(items) ? items : []).flatMap((item) => (isJsonObject(item) ? [messageOf(item)] : []));
}

function messageOf(item: JsonObject): JsonObject {
  switch (item.type) {
    case "function_call":
      return { role: "assistant", parts: [toolCall(item)] };
    case "function_call_output":
      return {
        role: "tool",
        parts: [{ type: "tool_call_response", id: item.call_id ?? null, response: embedded(item.output ?? null) }],
      };
    default:
      return { role: item.role ?? "user", parts: partsOf(item.content ?? null) };
  }
}

function partsOf(content: Json): JsonObject[] {
  if (!Array.isArray(content)) return [text(content)];
  return content.map((part) => text(isJsonObject(part) && typeof part.text === "string" ? part.text : part));
}

/** The output of a response: its text and calls. */
function outputOf(output: Json): JsonObject[] {
  if (!isJsonObject(output)) return [text(output)];
  const said = typeof output.text === "string" && output.text !== "" ? [text(output.text)] : [];
  const calls = Array.isArray(output.calls) ? output.calls.filter((call) => isJsonObject(call)) : [];
  return [...said, ...calls.map(toolCall)];
}

function answer(parts: JsonObject[], finish_reason: string): JsonObject {
  return { role: "assistant", parts, finish_reason };
}

function text(content: Json): JsonObject {
  return { type: "text", content: cut(typeof content === "string" ? content : JSON.stringify(content)) };
}

function toolCall({ call_id, name, arguments: given }: JsonObject): JsonObject {
  return { type: "tool_call", id: call_id ?? null, name: name ?? "", arguments: embedded(given ?? null) };
}

/** The newest messages that fit: a request repeats all earlier ones. */
function messages(all: JsonObject[]): string {
  const kept: string[] = [];
  let length = 2;
  for (const message of [...all].reverse()) {
    const json = JSON.stringify(message);
    length += json.length + 1;
    if (kept.length > 0 && length > LONGEST) break;
    kept.unshift(json);
  }
  return `[${kept.join(",")}]`;
}

/** A value as JSON, truncated. */
function value(json: Json): string {
  return cut(JSON.stringify(json));
}

function cut(whole: string): string {
  return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST).toWellFormed()}…`;
}

/** Arguments and results are JSON in a string. */
function embedded(given: Json): Json {
  if (typeof given !== "string") return given;
  try {
    return parseAsWritten<Json>(given);
  } catch {
    return given;
  }
}
