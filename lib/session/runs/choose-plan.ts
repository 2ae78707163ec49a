import { escapeValue } from "../../plan/resolve.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";
import type { Call, Plan, Run, Session } from "../session.ts";

type Source = Pick<Session, "runs" | "plans" | "calls">;

/**
 * The plan to show. `runId` null: the newest top-level run with a plan or calls. `iteration` null: the newest with
 * calls, since the last iteration of an agent has none. Calls outside of the plan are appended in order; without a
 * proposed plan all calls of the run are shown as one recorded plan. Null if there is nothing to show.
 */
export function choosePlan(session: Source, runId: string | null, iteration: number | null): Plan | null {
  const run = runId ?? newestRunWithCalls(session);
  if (run === null) return null;
  const plans = [...session.plans.values()].filter((plan) => plan.run_id === run);
  const calls = [...session.calls.values()].filter((call) => (call.run_id ?? "") === run);
  if (plans.length === 0) return recordedPlan(run, iteration, calls);
  const withCalls = [...plans.filter((plan) => plan.calls.length > 0), ...calls];
  const chosen = iteration ?? Math.max(...withCalls.map((each) => each.iteration));
  const plan = plans.find((plan) => plan.iteration === chosen);
  const proposed = plan?.calls ?? [];
  const known = new Set(proposed.map((call) => call._id));
  const others = calls.filter((call) => call.iteration === chosen && !known.has(call.id));
  if (proposed.length + others.length === 0) return null;
  return {
    run_id: run,
    iteration: chosen,
    recorded: false,
    calls: [...proposed, ...asPlanned(others)],
    outputs: plan?.outputs ?? [],
    rejected: plan?.rejected ?? false,
    problems: plan?.problems ?? [],
    problem_count: plan?.problem_count ?? 0,
  };
}

/**
 * The newest run that is not a delegate's; events without a run count only if there is no other. Null if there is none.
 */
export function newestTopLevelRun(session: Pick<Session, "runs">): Run | null {
  let newest: Run | null = null;
  for (const run of session.runs.values()) {
    if (run.parent_run_id === null && (run.id !== "" || newest === null)) newest = run;
  }
  return newest;
}

/**
 * The run that a fork continues: that of the current plan, even if later turns have none; without a plan the newest
 * top-level one. Null if there is none.
 */
export function runInHand(session: Source): Run | null {
  return session.runs.get(newestRunWithCalls(session) ?? "") ?? newestTopLevelRun(session);
}

function newestRunWithCalls(session: Source): string | null {
  const withCalls = new Set<string>();
  for (const plan of session.plans.values()) withCalls.add(plan.run_id);
  for (const call of session.calls.values()) withCalls.add(call.run_id ?? "");
  let newest: string | null = null;
  for (const run of session.runs.values()) if (run.parent_run_id === null && withCalls.has(run.id)) newest = run.id;
  return newest;
}

function recordedPlan(runId: string, iteration: number | null, calls: Call[]): Plan | null {
  const shown = iteration === null ? calls : calls.filter((call) => call.iteration === iteration);
  const last = shown.at(-1);
  if (!last) return null;
  return {
    run_id: runId,
    iteration: iteration ?? last.iteration,
    recorded: true,
    calls: asPlanned(shown),
    outputs: [],
    rejected: false,
    problems: [],
    problem_count: 0,
  };
}

/** Calls as a plan: parameters are values, so strings that begin with `†` are escaped (P3). */
function asPlanned(calls: Call[]): JsonObject[] {
  return calls.map((call) => {
    const params = escapeValue(call.params ?? null);
    return {
      _id: call.id,
      _tool: call.tool,
      ...(call.instance === "" ? {} : { _instance: call.instance }),
      ...(isJsonObject(params) ? params : {}),
    };
  });
}
