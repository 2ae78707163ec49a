import { callIds } from "../plan/call.ts";
import type { KnownEvent, SessionEvent } from "./event.ts";
import type { Folding } from "./folding.ts";
import type { JsonObject } from "./json.ts";
import { callKey, planKey } from "./keys.ts";
import type { Call, Plan, Run } from "./session.ts";
import { setKey } from "./state.ts";

/** A plan is proposed: its calls stand as planned, once for each instance that the run is known to have (P25). */
export function foldPlan(folding: Folding, event: Extract<KnownEvent, { type: "plan.proposed" }>): void {
  const run = folding.runOf(event);
  run.iteration = event.payload.iteration;
  const ids = callIds(event.payload.calls);
  const plan: Plan = {
    run_id: run.id,
    iteration: run.iteration,
    recorded: false,
    calls: event.payload.calls.map((call, index) => ({ ...call, _id: ids[index] ?? "" })),
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

/**
 * The run turns out to have an instance: the newest plan's calls that belong to no instance stand once for it, too.
 * What stood for none at all becomes the first instance's.
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

/** A call of which nothing but its plan is known. */
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
    branch: null,
    tries: [],
    started_seq: null,
    started_at: null,
    ended_seq: null,
    ended_at: null,
    parked_seq: null,
    parked_at: null,
    confirmation_id: null,
  };
}

function instancesOf(run: Run): string[] {
  return Object.keys(run.state).filter((instance) => instance !== "");
}

function textOf(call: JsonObject, key: string): string {
  const value = call[key];
  return typeof value === "string" ? value : "";
}
