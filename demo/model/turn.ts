import { withoutTimeLine } from "../../lib/prompt/time-line.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/session/json/json.ts";
import { readJson } from "../../lib/session/json/json-text.ts";
import type { Locale } from "../../lib/session/locale.ts";
import type { CallEnd } from "./script.ts";

/** What the scripted model reads of a request. */
export interface Turn {
  instructions: string;
  /** The user's newest message; "" for none. */
  message: string;
  /** The agent's last message before it; "" for none. */
  before: string;
  /** The language of the newest message that has one. */
  locale: Locale;
  /** The newest document of kind `memory`; empty without one. */
  memory: JsonObject;
  /** The names of offered functions. */
  functions: ReadonlySet<string>;
  /** The answered calls since the newest message, in order. */
  results: readonly CallResult[];
}

/** The result of a call. */
export type CallResult = { name: string } & (
  | { end: "succeeded"; output: Json }
  | { end: CallEnd; reason: string | null }
);

/** Reads these from a request. Items are input items of the Responses API, including those of the chain. */
export function readTurn(request: {
  instructions: string;
  items: readonly JsonObject[];
  tools: readonly JsonObject[];
}): Turn {
  const { instructions, items, tools } = request;
  const said = items.map(wordsOf);
  const newest = said.findLastIndex((words) => words !== null);
  return {
    instructions,
    message: said[newest] ?? "",
    before: spokenIn(items.slice(0, Math.max(newest, 0))),
    locale: localeOf(said.filter((words) => words !== null)),
    memory: memoryIn(items),
    functions: new Set(tools.flatMap(({ name }) => (typeof name === "string" ? [name] : []))),
    results: resultsIn(items.slice(newest + 1)),
  };
}

/** The text of a user's message; null for anything else, including data and errors. */
function wordsOf(item: JsonObject): string | null {
  if (item.role !== "user" || dataIn(item) !== null) return null;
  const text = textOf(item);
  return text === null ? null : withoutTimeLine(text);
}

/** The agent's last text in these items. */
function spokenIn(items: readonly JsonObject[]): string {
  return items.flatMap((item) => (item.role === "assistant" ? (textOf(item) ?? []) : [])).at(-1) ?? "";
}

function memoryIn(items: readonly JsonObject[]): JsonObject {
  const data = items.map(dataIn).findLast((each) => each?.kind === "memory")?.data;
  return isJsonObject(data) ? data : {};
}

/** A message written by a program: data, or an error with its call. */
function dataIn(item: JsonObject): JsonObject | null {
  const text = textOf(item);
  if (item.role !== "user" || !text?.startsWith("{")) return null;
  const value = jsonIn(text);
  return isJsonObject(value) && (value.type === "data" || isJsonObject(value.error)) ? value : null;
}

/** The text of a message, in one or several parts. */
function textOf({ content }: JsonObject): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  return content.map((part) => (isJsonObject(part) && typeof part.text === "string" ? part.text : "")).join("");
}

/** It is the same in every language. */
const COMMAND = /^\/[\w@]+$/;

function localeOf(messages: readonly string[]): Locale {
  const telling = messages.findLast((words) => /\p{L}/u.test(words) && !COMMAND.test(words)) ?? "";
  return /\p{Script=Cyrillic}/u.test(telling) ? "ru" : "en";
}

function resultsIn(items: readonly JsonObject[]): CallResult[] {
  return items.flatMap((call) => {
    if (call.type !== "function_call" || typeof call.name !== "string") return [];
    const answer = items.find((item) => item.type === "function_call_output" && item.call_id === call.call_id);
    return answer ? [{ name: call.name, ...resultIn(answer.output ?? null) }] : [];
  });
}

type Result = { end: "succeeded"; output: Json } | { end: CallEnd; reason: string | null };

/** A result is the output itself; for an unsuccessful call it has its status, or only the error. */
function resultIn(output: Json): Result {
  const value = typeof output === "string" ? (jsonIn(output) ?? output) : output;
  if (!isJsonObject(value)) return { end: "succeeded", output: value };
  const { status, error } = value;
  const told = isJsonObject(error) && typeof error.message === "string" ? error.message : null;
  const reason = told ?? (typeof value.reason === "string" ? value.reason : null);
  if (isEnd(status)) return { end: status, reason };
  const isFailure = told !== null && Object.keys(value).length === 1;
  return isFailure ? { end: "failed", reason } : { end: "succeeded", output: value };
}

const ENDS = { failed: 0, skipped: 0, denied: 0, blocked: 0, cancelled: 0, superseded: 0 } satisfies Record<CallEnd, 0>;

function isEnd(status: Json | undefined): status is CallEnd {
  return typeof status === "string" && Object.hasOwn(ENDS, status);
}

/** Deep enough for the engine's messages. */
const DEPTH = 64;

function jsonIn(text: string): Json | undefined {
  const read = readJson(text, DEPTH, "as_written");
  return read.ok ? read.value : undefined;
}
