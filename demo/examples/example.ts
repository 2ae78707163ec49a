import type { ToolDefinition } from "../../lib/engine/tools/tool-definition.ts";
import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { Locale } from "../texts.ts";

/** A worked example of the protocol, as data: the question, the plan, and simulated tools. */
export interface Example {
  /** The id of its conversation, and the prefix of its event ids. */
  id: string;
  title: string;
  channel: string;
  user: string;
  agent: string;
  /** The user's message. */
  question: string;
  /** The agent's answer. */
  answer: string;
  /** Messages in any accepted form (P14a). */
  context: JsonObject[];
  tools: ToolDefinition[];
  /** Null when the model plans, iteration by iteration (P19). */
  plan: JsonObject[] | null;
  /** The schema of the output; null for any. */
  output_schema: Json | null;
  /** Simulated tools by name; others are latent. */
  outside: Record<string, Outside>;
  /** The model's answers. */
  said: Saying[];
}

/** An example in each language. */
export type Localized = Record<Locale, Example>;

export function inEachLanguage<T>(texts: Record<Locale, T>, make: (texts: T, locale: Locale) => Example): Localized {
  return { en: make(texts.en, "en"), ru: make(texts.ru, "ru") };
}

/** The simulation of a tool. */
export interface Outside {
  /** Repeating it has no further effect (P23). */
  idempotent: boolean;
  /** The outcome of a call by its resolved parameters and attempt, from 1. */
  react(params: JsonObject, attempt: number): Reaction;
}

/**
 * The outcome of a call after `ms`: a result, which may choose its alternative by a path (P10), or an error, which may
 * be retried later (P24).
 */
export type Reaction =
  | { ms: number; output: Json; path?: string }
  | { ms: number; error: { code: string; message: string }; retry_after_ms?: number };

/** A model response: a solution `{calls, output}`, or the `{result}` of a latent tool. */
export interface Saying {
  /** Text that identifies its request, when several are open; by default requests are answered in order. */
  to?: string;
  /** The time from the request to the end of the response. */
  ms: number;
  input_tokens: number;
  output_tokens: number;
  answer: JsonObject;
}

/**
 * A tool of an example: `properties` are parameters and meta-properties; all parameters but `optional` are required.
 */
export function tool(
  name: string,
  description: string,
  properties: JsonObject,
  optional: string[] = [],
): ToolDefinition {
  return { name, description, schema: object(properties, optional), requires_confirmation: false };
}

/** The schema of an object with exactly these keys, all required but `optional`. */
export function object(properties: JsonObject, optional: string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !name.startsWith("_") && !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

/** The schema of a list. */
export function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}

export const TEXT: JsonObject = { type: "string" };
export const NUMBER: JsonObject = { type: "number" };
