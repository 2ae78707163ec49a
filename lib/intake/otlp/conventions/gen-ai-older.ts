import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { type Attributes, embedded } from "../attributes.ts";
import type { Span, SpanMessage } from "../span.ts";
import { blocksIn, messagesOf } from "./messages.ts";

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
    if (typeof message === "string" || Array.isArray(message))
      return messagesOf([{ role: "assistant", content: message }], "assistant");
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

/** The arguments and the result of a tool's span in events, where Strands has them. Undefined where there are none. */
export function eventsOfTool({ events }: Span): { arguments: Json | undefined; result: Json | undefined } {
  const toldIn = (event: string, name: string) => {
    const value = events.findLast((one) => one.name === event)?.attributes[name];
    return typeof value === "string" ? embedded(value) : value;
  };
  return { arguments: toldIn("gen_ai.tool.message", "content"), result: toldIn("gen_ai.choice", "message") };
}

/** Why the model stopped, as its answer's event says. */
export function olderFinishReason({ events }: Span): string | null {
  const reason = events.findLast(({ name }) => name === "gen_ai.choice")?.attributes.finish_reason;
  return typeof reason === "string" && reason !== "" ? reason : null;
}

/** An event's attributes, with the JSON in those that hold some. */
function read(body: JsonObject): JsonObject {
  const entries = Object.entries(body).map(([name, value]): [string, Json] => [
    name,
    typeof value === "string" ? readText(name, value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** What somebody says stays a text, also where that is JSON, but for a whole message and for Strands' blocks. */
function readText(name: string, value: string): Json {
  if (name === "content") return blocksIn(value);
  const read = embedded(value);
  if (name !== "message") return read;
  const isMessage = isJsonObject(read) && ["role", "content", "parts", "tool_calls"].some((key) => key in read);
  return isMessage ? read : blocksIn(value);
}
