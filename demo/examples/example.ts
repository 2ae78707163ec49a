import type { ToolDefinition } from "../../lib/engine/tools/tool-definition.ts";
import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { Locale } from "../texts.ts";

/** A worked example of the protocol, as data: what is asked, the plan, and how the outside world takes it. */
export interface Example {
  /** Of its conversation; what its events are called by begins with it. */
  id: string;
  title: string;
  channel: string;
  user: string;
  agent: string;
  /** What the user writes. */
  question: string;
  /** What the agent answers in the end. */
  answer: string;
  /** Messages in any of the accepted forms (P14a). */
  context: JsonObject[];
  tools: ToolDefinition[];
  /** Null: the model plans, iteration by iteration (P19). */
  plan: JsonObject[] | null;
  /** What the output has to fit; null for anything. */
  output_schema: Json | null;
  /** What is outside, by the tool that reaches it; a tool that is not named here is latent. */
  outside: Record<string, Outside>;
  /** What the model says when it is asked. */
  said: Saying[];
}

/** An example in each language. */
export type Localized = Record<Locale, Example>;

export function inEachLanguage<T>(texts: Record<Locale, T>, make: (texts: T, locale: Locale) => Example): Localized {
  return { en: make(texts.en, "en"), ru: make(texts.ru, "ru") };
}

/** The part of the world that a tool acts on. */
export interface Outside {
  /** Doing it twice is the same as doing it once (P23). */
  idempotent: boolean;
  /** What comes of a call, by its resolved parameters and the number of the try, from 1. */
  react(params: JsonObject, attempt: number): Reaction;
}

/**
 * What comes of a call after `ms`: a result, which may choose its alternative by a path (P10), or an error, which may
 * ask to be tried again later (P24).
 */
export type Reaction =
  | { ms: number; output: Json; path?: string }
  | { ms: number; error: { code: string; message: string }; retry_after_ms?: number };

/** An answer of the model: a solution `{calls, output}`, or `{result}` of a latent tool. */
export interface Saying {
  /** Words that only the request it answers holds, where several are open at once; else it is the next in order. */
  to?: string;
  /** How long it takes from the request to the last word. */
  ms: number;
  input_tokens: number;
  output_tokens: number;
  answer: JsonObject;
}

/** A tool of an example: `properties` are its parameters and meta-properties; all parameters but `optional` required. */
export function tool(
  name: string,
  description: string,
  properties: JsonObject,
  optional: string[] = [],
): ToolDefinition {
  return { name, description, schema: object(properties, optional), requires_confirmation: false };
}

/** The schema of an object that has these keys and no others, all of them required but `optional`. */
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
