import { buildGraph } from "../plan/graph.ts";
import { parsePath } from "../plan/output-path.ts";
import { isJsonObject, isSameJson, type Json, type JsonObject } from "../session/json/json.ts";
import { choosePlan } from "../session/runs/choose-plan.ts";
import type { Call, Run, Session } from "../session/session.ts";
import type { States } from "./edits.ts";

/** The rest of a plan at a step. */
export interface RemainingPlan {
  calls: JsonObject[];
  /** The states it starts with. */
  states: States;
}

/**
 * The remaining calls of a plan in a session (E9). A call that succeeded unchanged is left out: its writes are in the
 * state. One that changed since, and those that read its results, run again, so their writes are removed; except for
 * what a person has written there since.
 */
export function remainingPlan(
  session: Session,
  run: Run | null,
  plan: readonly JsonObject[],
  states: States,
): RemainingPlan {
  const earlier = run ? earlierCalls(session, run) : new Map<string, Earlier>();
  const again = new Set(
    plan.map(idOf).filter((id, index) => {
      const before = earlier.get(id);
      return before?.isDone && !isSameCall(before.planned, plan[index] ?? {});
    }),
  );
  const { edges } = buildGraph(plan);
  // A Set also iterates over items that are added meanwhile.
  for (const id of again) for (const { from, to } of edges) if (from === id && earlier.get(to)?.isDone) again.add(to);
  const isLeft = (id: string) => again.has(id) || !earlier.get(id)?.isDone;
  return { calls: plan.filter((call) => isLeft(idOf(call))), states: run ? without(states, run, again) : states };
}

interface Earlier {
  planned: JsonObject;
  /** Succeeded in all its instances. */
  isDone: boolean;
}

/** The run's calls by id, in their latest version. */
function earlierCalls(session: Session, run: Run): Map<string, Earlier> {
  const calls = [...session.calls.values()].filter(({ run_id }) => (run_id ?? "") === run.id);
  const earlier = new Map<string, Earlier>();
  for (const iteration of [...new Set(calls.map((call) => call.iteration))].sort((a, b) => a - b)) {
    const plan = choosePlan(session, run.id, iteration);
    for (const planned of plan?.calls ?? []) {
      const id = idOf(planned);
      const places = calls.filter((call) => call.iteration === iteration && call.id === id);
      // What was only proposed says nothing of what has happened.
      if (places.some(hasBegun)) earlier.set(id, { planned, isDone: places.every(isDone) });
    }
  }
  return earlier;
}

function hasBegun({ status, started_seq }: Call): boolean {
  return status !== "planned" || started_seq !== null;
}

/** An error handled by its own alternative counts as done (P10). */
function isDone({ status, handled }: Call): boolean {
  return status === "succeeded" || (status === "failed" && handled);
}

function isSameCall(a: JsonObject, b: JsonObject): boolean {
  return isSameJson(essence(a), essence(b));
}

/** A call without its reasoning. */
function essence({ _reasoningForCall: _why, ...call }: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(call).filter(([, value]) => value !== null));
}

function idOf(call: JsonObject): string {
  return typeof call._id === "string" ? call._id : "";
}

/** The states without the writes of these calls. */
function without(states: States, run: Run, calls: ReadonlySet<string>): States {
  const left = new Map(Object.entries(states));
  for (const { call_id, instance, path } of run.writes) {
    const state = left.get(instance);
    const target = parsePath(path);
    // A write to †state itself does not say which keys it wrote: they stay.
    if (call_id === null || !calls.has(call_id) || state === undefined || !target.ok) continue;
    left.set(instance, cut(state, target.value.path));
  }
  return Object.fromEntries(left);
}

function cut(value: Json, [key, ...rest]: readonly string[]): Json {
  if (key === undefined || !isJsonObject(value) || !Object.hasOwn(value, key)) return value;
  const entries = Object.entries(value);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(entries.map(([name, inner]) => [name, name === key ? cut(inner, rest) : inner]));
}
