import type { Context, DataMessage } from "../../plan/message.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { CallError, CallOutcome, ProposeInput } from "./port.ts";

/**
 * The input items of a request (P19): what does not change first, so that a provider can cache it, then the native calls
 * so far, then how things stand now. A request that goes on from a response has of the native calls only the outputs
 * that it waits for, and of the data only what has changed (D7).
 */
export function inputItems(
  input: Pick<ProposeInput, "context" | "told" | "history" | "previous" | "errors" | "chain">,
): JsonObject[] {
  const { context, history, previous, errors } = input;
  const chain = input.chain?.previous_response_id == null ? null : input.chain;
  const left = new Set([...input.told, ...(previous.length > 0 ? ["plan"] : [])]);
  const data = context.data.filter(({ kind }) => !left.has(kind));
  const isNew = ({ content }: { content: string }) => !chain?.known.has(content);
  return [
    ...(chain?.outputs ?? []),
    ...data
      .filter(({ kind }) => kind !== "state")
      .map(dataItem)
      .filter(isNew),
    ...context.text.map(({ role, content }): JsonObject => ({ role, content })),
    ...(chain ? [] : history),
    ...data
      .filter(({ kind }) => kind === "state")
      .map(dataItem)
      .filter(isNew),
    ...planItems(previous, history),
    ...errors.filter((error) => !isAnswered(error.call, history)).map(errorItem),
  ];
}

type UserItem = { role: "user"; content: string };

/** A data message as the model reads it. */
export function dataItem({ kind, instance, description, schema, data }: DataMessage): UserItem {
  return said({
    type: "data",
    kind,
    ...(instance === "" ? {} : { _instance: instance }),
    ...(description === undefined ? {} : { description }),
    ...(schema === undefined ? {} : { schema }),
    ...(data === undefined ? {} : { data }),
  });
}

/** Data comes from outside: it has a user's weight, never a system's. */
export function said(value: Json): UserItem {
  return { role: "user", content: JSON.stringify(value) };
}

/** The last iteration's calls with what came of them. Native calls have their own items. */
function planItems(previous: readonly CallOutcome[], history: readonly JsonObject[]): JsonObject[] {
  const calls = previous.filter(({ call }) => !isAnswered(call, history));
  return calls.length === 0 ? [] : [said({ type: "data", kind: "plan", data: calls.map(outcomeOf) })];
}

function outcomeOf({ call, instance, status, output, error, reason }: CallOutcome): Json {
  // What was written stands in the state already.
  const written = status === "succeeded" && typeof call._outputPath === "string";
  return {
    call,
    ...(instance === "" ? {} : { instance }),
    status,
    ...(output === undefined || written ? {} : { output }),
    ...(error === undefined ? {} : { error: { ...error } }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function errorItem({ call, error }: CallError): JsonObject {
  return said({ call, error: { ...error } });
}

/** Whether the history has this call's result. */
function isAnswered(call: JsonObject | null, history: readonly JsonObject[]): boolean {
  return call !== null && history.some((item) => item.type === "function_call_output" && item.call_id === call._id);
}

/** The instances of a context: the distinct ones of its state and input messages (P25). */
export function instancesOf({ data }: Context): string[] {
  const names = data.filter(({ kind }) => kind === "state" || kind === "input").map(({ instance }) => instance);
  return [...new Set(names)].filter((name) => name !== "");
}

/** The kinds that a call can read or pass on. State and input are always known. */
export function kindsOf({ data }: Context): string[] {
  return [...new Set(["state", "input", ...data.map(({ kind }) => kind)])];
}
