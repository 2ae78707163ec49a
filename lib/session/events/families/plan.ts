import { callIds, withId } from "../../../plan/call.ts";
import type { LocalizedText } from "../../../plan/localized-text.ts";
import { setKey } from "../../../plan/state.ts";
import type { EventOf, SessionEvent } from "../../event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts";
import { callKey, planKey } from "../../keys.ts";
import type { Folding } from "../../reducer/folding.ts";
import type { Call, Plan, ReportedProblem, Run } from "../../session.ts";
import { type EventDefinition, type Family, RECORDED } from "./family.ts";

/** The maximum number of problems kept of a plan (E8), which may have one for each call. */
const PROBLEMS = 200;

type PlanType = "plan.proposed" | "plan.validated" | "plan.rejected" | "plan.simulated";

const PLAN = {
  ...RECORDED,
  steers: true,
  authority: "ingest",
  structure: { iteration: "kept" },
} as const satisfies Partial<EventDefinition<PlanType>>;

/** Proposal and validation of plans. */
export const PLAN_EVENTS = {
  "plan.proposed": {
    ...PLAN,
    structure: { iteration: "kept", calls: { each: { _tool: "kept", _id: "id", _instance: "id" } } },
    columns: ({ iteration = null }) => ({ iteration }),
    fold: foldPlan,
  },
  "plan.validated": { ...PLAN, fold: foldVerdict },
  "plan.rejected": { ...PLAN, columns: () => ({ error: true }), fold: foldVerdict },
  "plan.simulated": { ...PLAN, steers: false },
} as const satisfies Family<PlanType>;

/** A plan is proposed: its calls are planned, once for each known instance of the run (P25). */
function foldPlan(folding: Folding, event: EventOf<"plan.proposed">): void {
  const run = folding.runOf(event);
  run.iteration = event.payload.iteration;
  const ids = callIds(event.payload.calls);
  const plan: Plan = {
    run_id: run.id,
    iteration: run.iteration,
    recorded: false,
    // A call that names its id stays the same object: the page knows by that what has not changed.
    calls: event.payload.calls.map((call, index) => withId(call, ids[index] ?? "")),
    outputs: [],
    rejected: false,
    problems: [],
    problem_count: 0,
  };
  folding.addPlan(plan);
  const instances = instancesOf(run);
  for (const call of plan.calls) {
    const own = textOf(call, "_instance");
    for (const instance of own ? [own] : instances.length > 0 ? instances : [""]) {
      const key = callKey(event.run_id, run.iteration, instance, textOf(call, "_id"));
      if (!folding.root.calls.has(key)) folding.addCall(plannedCall(event.run_id, run.iteration, instance, call));
    }
  }
}

/** A plan is valid or not, with its problems; the outputs of its calls may become known. */
function foldVerdict(folding: Folding, event: EventOf<"plan.validated" | "plan.rejected">): void {
  const { iteration, problems = [] } = event.payload;
  const plan = folding.root.plans.get(planKey(event.run_id, iteration));
  if (!plan) return;
  folding.addPlan({
    ...plan,
    outputs: ("outputs" in event.payload && event.payload.outputs) || plan.outputs,
    rejected: event.type === "plan.rejected",
    problems: problems.slice(0, PROBLEMS).map(readProblem),
    problem_count: problems.length,
  });
}

/** A problem in any form: external agents' problems are shown as far as they can be parsed. */
function readProblem(problem: Json): ReportedProblem {
  const told = isJsonObject(problem) ? problem : { message: problem };
  return {
    code: textOf(told, "code"),
    severity: told.severity === "warning" ? "warning" : "error",
    call: textOf(told, "call") || null,
    path: textOf(told, "path"),
    ...readText(told),
    message: textOf(told, "message") || JSON.stringify(problem),
  };
}

function readText(text: JsonObject): LocalizedText {
  const message = textOf(text, "message");
  const { message_id, values } = text;
  if (typeof message_id !== "string") return { message };
  if (!Array.isArray(values)) return { message, message_id };
  return {
    message,
    message_id,
    values: values.map((value) =>
      isJsonObject(value) ? readText(value) : typeof value === "number" ? value : String(value),
    ),
  };
}

/**
 * A new instance of the run: calls of the newest plan are planned for it, too. Those without an instance become the
 * first instance's.
 */
export function meetInstance(folding: Folding, event: Pick<SessionEvent, "run_id">, run: Run, instance: string): void {
  if (instance === "" || Object.hasOwn(run.state, instance)) return;
  run.state = folding.draft.own(run.state);
  setKey(run.state, instance, {});
  const plan = folding.root.plans.get(planKey(run.id, run.iteration));
  for (const call of plan?.calls ?? []) {
    if (textOf(call, "_instance") !== "") continue;
    const general = callKey(event.run_id, run.iteration, "", textOf(call, "_id"));
    if (folding.root.calls.get(general)?.status === "planned") folding.calls.delete(general);
    const key = callKey(event.run_id, run.iteration, instance, textOf(call, "_id"));
    if (!folding.root.calls.has(key)) folding.addCall(plannedCall(event.run_id, run.iteration, instance, call));
  }
}

/** A planned call. */
export function plannedCall(runId: string | null, iteration: number, instance: string, call: JsonObject): Call {
  return {
    id: textOf(call, "_id"),
    run_id: runId,
    iteration,
    instance,
    tool: textOf(call, "_tool"),
    status: "planned",
    params: null,
    output: null,
    error: null,
    handled: false,
    reason: null,
    planned: false,
    recorded: null,
    branch: null,
    output_path: null,
    reads: [],
    tries: [],
    started_seq: null,
    started_at: null,
    ended_seq: null,
    ended_at: null,
    parked_seq: null,
    parked_at: null,
    confirmation_id: null,
    decision: null,
  };
}

function instancesOf(run: Run): string[] {
  return Object.keys(run.state).filter((instance) => instance !== "");
}

function textOf(call: JsonObject, key: string): string {
  const value = call[key];
  return typeof value === "string" ? value : "";
}
