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

/** How an iteration went, for the model. */
export interface LastIteration {
  calls: RunCall[];
  /** What was told with its plan: warnings, and errors of the proposal. */
  notes: Json[];
  rejection: Rejection | null;
}

/** Before an agent's first iteration there was none; `note` says what was wrong with its answer before (D4). */
export function lastOf(note?: string): LastIteration {
  const notes = note === undefined ? [] : [{ call: null, error: { code: "bad_answer", message: note } }];
  return { calls: [], notes, rejection: null };
}

/** What came of the calls (P19). */
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

/** What went wrong, each error with its call (P19). */
export function errorsOf({ calls, notes, rejection }: LastIteration): CallError[] {
  const planned = new Map((rejection?.proposed.calls ?? []).map((call) => [call._id, call]));
  return [
    ...notes.flatMap((note) => (isCallError(note) ? [note] : [])),
    ...(rejection?.problems ?? []).flatMap((problem) => readProblem(problem, planned)),
    ...calls.flatMap(({ json, error, handled }) => (error && !handled ? [{ call: json, error }] : [])),
  ];
}

/** What the iteration adds to the history of native calls (P19a); `answer` as it stands in its event. */
export function historyOf(last: LastIteration, answer: Json): JsonObject[] {
  if (!isJsonObject(answer) || !Array.isArray(answer.calls)) return [];
  const calls = answer.calls.filter(isNativeCall);
  const text = typeof answer.text === "string" ? answer.text : "";
  return nativeItems({ text, calls }, outcomesOf(last), errorsOf(last));
}

/** An error that goes back to the model, as it stands in an event. */
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
