import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { type Attributes, embedded } from "../attributes.ts";
import type { Span, SpanMessage } from "../span.ts";
import { messagesOf } from "./messages.ts";

/** The messages of a request as they were told before `gen_ai.input.messages`: `gen_ai.prompt…`, or an event for each. */
export function olderInput(span: Span, attributes: Attributes): SpanMessage[] {
  const told = toldWhole(span, attributes, "gen_ai.prompt", "gen_ai.content.prompt");
  if (told !== undefined) return messagesOf(told, "user");
  return span.events.flatMap(({ name, attributes: body }) => {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/u.exec(name)?.[1];
    return role === undefined ? [] : messagesOf([{ role, ...read(body) }], "user");
  });
}

/** Likewise what the model answered: `gen_ai.completion…`, or events `gen_ai.choice`. */
export function olderOutput(span: Span, attributes: Attributes): SpanMessage[] {
  const told = toldWhole(span, attributes, "gen_ai.completion", "gen_ai.content.completion");
  if (told !== undefined) return messagesOf(told, "assistant");
  return span.events.flatMap(({ name, attributes: body }) => {
    if (name !== "gen_ai.choice") return [];
    const { message, ...beside } = read(body);
    return messagesOf([{ role: "assistant", ...(isJsonObject(message) ? message : beside) }], "assistant");
  });
}

/** Spread over attributes of the span, in one of them, or in one of an event. */
function toldWhole(span: Span, attributes: Attributes, name: string, event: string): Json | undefined {
  const spread = attributes.list(name);
  if (spread.length > 0) return spread;
  const detail = span.events.find((one) => one.name === event)?.attributes[name];
  return attributes.json(name) ?? (typeof detail === "string" ? embedded(detail) : detail);
}

/** An event's attributes, with the JSON in those that hold some. */
function read(body: JsonObject): JsonObject {
  const entries = Object.entries(body).map(([name, value]): [string, Json] => [
    name,
    typeof value === "string" && name !== "content" ? embedded(value) : value,
  ]);
  return Object.fromEntries(entries);
}
