import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { nativeItems } from "../../planning/native-calls.ts";
import type { CallError, CallOutcome } from "../../planning/port.ts";
import type { RunCall } from "./run-call.ts";
import type { Proposed } from "./run-plan.ts";

/** Why an iteration's plan was not run. */
export interface Rejection {
  proposed: Proposed;
  problems: Json[];
  reason: string;
}

/** The outcome of an iteration, for the model. */
export interface LastIteration {
  calls: RunCall[];
  /** Problems of its plan: warnings, and errors of the proposal. */
  notes: Json[];
  rejection: Rejection | null;
}

/** For an agent's first iteration; `note` says what was wrong with its previous answer (D4). */
export function lastOf(note?: string): LastIteration {
  const notes = note === undefined ? [] : [{ call: null, error: { code: "bad_answer", message: note } }];
  return { calls: [], notes, rejection: null };
}

/** The results of the calls (P19). */
export function outcomesOf({ calls }: LastIteration): CallOutcome[] {
  return calls.map(({ json, instance, status, output, error, reason }) => ({
    call: json,
    instance,
    status,
    ...(output === undefined ? {} : { output }),
    ...(error === null ? {} : { error }),
    ...(reason === null ? {} : { reason }),
  }));
}

/** The errors, each with its call (P19). */
export function errorsOf({ calls, notes, rejection }: LastIteration): CallError[] {
  const planned = new Map((rejection?.proposed.calls ?? []).map((call) => [call._id, call]));
  return [
    ...notes.flatMap((note) => (isCallError(note) ? [note] : [])),
    ...(rejection?.problems ?? []).flatMap((problem) => readProblem(problem, planned)),
    ...calls.flatMap(({ json, error, handled }) => (error && !handled ? [{ call: json, error }] : [])),
  ];
}

/** What the iteration adds to the native call history (P19a); `answer` is the event's. */
export function historyOf(last: LastIteration, answer: Json): JsonObject[] {
  if (!isJsonObject(answer) || !Array.isArray(answer.calls)) return [];
  const calls = answer.calls.filter(isNativeCall);
  const text = typeof answer.text === "string" ? answer.text : "";
  return nativeItems({ text, calls }, outcomesOf(last), errorsOf(last));
}

/** An error that is returned to the model, from an event. */
export function isCallError(note: Json): note is Json & CallError {
  return (
    isJsonObject(note) &&
    (note.call === null || isJsonObject(note.call)) &&
    isJsonObject(note.error) &&
    typeof note.error.code === "string" &&
    typeof note.error.message === "string"
  );
}

function isNativeCall(call: Json): call is JsonObject & { call_id: string; name: string; arguments: string } {
  return (
    isJsonObject(call) &&
    typeof call.call_id === "string" &&
    typeof call.name === "string" &&
    typeof call.arguments === "string"
  );
}

/** A problem of a plan, or an error that stood among them already. */
function readProblem(problem: Json, planned: ReadonlyMap<Json | undefined, JsonObject>): CallError[] {
  if (isCallError(problem)) return [problem];
  if (!isJsonObject(problem) || problem.severity !== "error") return [];
  const { code, message, call } = problem;
  if (typeof code !== "string" || typeof message !== "string") return [];
  return [{ call: planned.get(call) ?? null, error: { code, message } }];
}
