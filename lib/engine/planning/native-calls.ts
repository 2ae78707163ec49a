import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import type { ModelAnswer } from "../model.ts";
import type { RegisteredTool } from "../tools/tools.ts";
import { readAnswer } from "./answer-json.ts";
import type { CallError, CallOutcome, Failure } from "./port.ts";

/** What the Responses API takes as a function's name. */
const LONGEST_NAME = 64;
const NOT_IN_NAMES = /[^a-zA-Z0-9_-]/g;

/** The function of each tool, by the tool's name: the name itself where the Responses API takes it. */
export function functionNames(tools: readonly RegisteredTool[]): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  // Names that can be kept come first, so that no other tool's stand-in takes one.
  const fitting = (name: string) => name.length <= LONGEST_NAME && name.search(NOT_IN_NAMES) < 0;
  const ordered = [...tools].sort((a, b) => Number(fitting(b.name)) - Number(fitting(a.name)));
  for (const { name } of ordered) {
    const plain = name.replaceAll(NOT_IN_NAMES, "_");
    let free = plain.slice(0, LONGEST_NAME);
    for (let count = 2; taken.has(free); count++) {
      const suffix = `_${count}`;
      free = plain.slice(0, LONGEST_NAME - suffix.length) + suffix;
    }
    taken.add(free);
    names.set(name, free);
  }
  return names;
}

/** A native call as a call of the plan (P19a), or the error that goes back for it alone. */
export function readNativeCall(
  native: ModelAnswer["calls"][number],
  tools: readonly RegisteredTool[],
): { ok: true; call: JsonObject } | { ok: false; error: CallError } {
  const tool = [...functionNames(tools)].find(([, name]) => name === native.name)?.[0] ?? native.name;
  const call: JsonObject = { _tool: tool, _id: native.call_id };
  const read = readAnswer(native.arguments.trim() === "" ? "{}" : native.arguments);
  if (!read.ok) return { ok: false, error: { call, error: malformed(read.reason) } };
  if (!isJsonObject(read.value)) return { ok: false, error: { call, error: malformed("they are not a JSON object") } };
  return { ok: true, call: { ...read.value, ...call } };
}

function malformed(reason: string): Failure {
  return { code: "malformed_arguments", message: `The arguments are invalid: ${reason}` };
}

/**
 * What an answer with native calls adds to the history (P19a): its words, its calls, and each call's result, an error
 * too. Empty for an answer without native calls. Every call gets an output, for the API refuses a request that lacks one.
 */
export function nativeItems(
  answer: Pick<ModelAnswer, "text" | "calls">,
  outcomes: readonly CallOutcome[],
  errors: readonly CallError[],
): JsonObject[] {
  if (answer.calls.length === 0) return [];
  // Built anew: the ids of the provider's items may lead nowhere, for what it keeps it may forget.
  const words: JsonObject[] = answer.text === "" ? [] : [{ role: "assistant", content: answer.text }];
  const calls = answer.calls.map((call): JsonObject => ({ type: "function_call", ...call }));
  const outputs = answer.calls.map(({ call_id }): JsonObject => {
    const own = outcomes.filter(({ call }) => call._id === call_id);
    const error = errors.find(({ call }) => call?._id === call_id)?.error;
    return { type: "function_call_output", call_id, output: JSON.stringify(resultOf(own, error)) };
  });
  return [...words, ...calls, ...outputs];
}

/** One result, or one for each instance (P25). */
function resultOf(outcomes: readonly CallOutcome[], error: Failure | undefined): Json {
  const [first] = outcomes;
  if (!first)
    return { error: { ...(error ?? { code: "not_run", message: "It did not run, because the plan was invalid" }) } };
  if (outcomes.every(({ instance }) => instance === "")) return resultIn(first);
  return Object.fromEntries(outcomes.map((outcome) => [outcome.instance, resultIn(outcome)]));
}

function resultIn({ status, output, error, reason }: CallOutcome): Json {
  if (status === "succeeded") return output ?? null;
  return { status, ...(error ? { error: { ...error } } : {}), ...(reason === undefined ? {} : { reason }) };
}
