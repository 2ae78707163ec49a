import { instancesOf } from "../../../plan/context.ts";
import type { Context } from "../../../plan/message.ts";
import type { PlanProblem } from "../../../plan/problem.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import { type CheckedPlan, type PlanMaterial, readPlan, simulatedOutline } from "../../plan-reading.ts";
import type { Toolset } from "../../tools/toolset.ts";
import type { StepEnv } from "../env.ts";
import type { Run } from "../run.ts";
import { contextNow } from "../state/context-now.ts";
import { failRun, finishRun } from "./end-run.ts";

/** The result of validating a plan. */
export interface Checked extends CheckedPlan {
  /** The simulated execution, as recorded with a run (P22). */
  outline(): Json;
}

/** What a plan is validated against in a run. */
export function materialOf(
  { checker, memory }: Pick<StepEnv, "checker" | "memory">,
  plan: readonly JsonObject[],
  toolbox: Toolset,
  context: Context,
  lineage: readonly string[],
): PlanMaterial {
  return { plan, toolbox, context: withMemorySchema(context, memory), checker, lineage };
}

/**
 * Calls of an iteration, those of each instance counted. What is given has been checked in a thread before; what a model or a
 * delegate proposes is checked in one go on the thread that answers everybody.
 */
export const MOST_CALLS = { given: 10_000, proposed: 2_000 } as const;

/** Calls that a plan has in all instances. */
export function countCalls(plan: readonly JsonObject[], context: Context): number {
  return plan.length * instancesOf(context).length;
}

/** Validates a run's plan (P16). */
export function checkPlan(...described: Parameters<typeof materialOf>): Checked {
  const material = materialOf(...described);
  const reading = readPlan(material);
  return { ...reading, outline: () => simulatedOutline(material, reading) };
}

/** The same for a plan from a model or a delegate, which may be too long. */
export function checkProposed(...described: Parameters<typeof materialOf>): Checked {
  const [, plan, , context] = described;
  return countCalls(plan, context) > MOST_CALLS.proposed ? refused(plan) : checkPlan(...described);
}

/** A plan that is too long is not validated. */
function refused(plan: readonly JsonObject[]): Checked {
  const message = `The plan has ${plan.length} calls per instance, and at most ${MOST_CALLS.proposed} in all can be proposed at once; propose it in parts`;
  const problem = { code: "unchecked", severity: "error", call: null, path: "", message } as const;
  return { ok: false, problems: [problem], plan: [...plan], outputs: [], instances: [], outline: () => null };
}

/** Proposes a plan and accepts it if it is valid. An invalid given plan fails its run. */
export function propose(
  run: Run,
  plan: { calls: JsonObject[]; output: Json | undefined },
  known: Checked | null,
  caused_by: string,
): void {
  const { env, state, tools, lineage } = run;
  const check = state.by_model ? checkProposed : checkPlan;
  const checked = known ?? check(env, plan.calls, tools, contextNow(state), lineage);
  const problems = checked.problems.map((problem) => ({ ...problem }));
  const proposed = proposePlan(run, checked.plan, plan.output, caused_by);
  if (!checked.ok) {
    rejectPlan(run, problems, reasonOf(checked.problems), proposed);
    if (!state.by_model) failRun(run, { code: "invalid_plan", message: reasonOf(checked.problems) });
    return;
  }
  acceptPlan(run, checked, problems, proposed);
}

/** Records a plan before it is validated. */
export function proposePlan(run: Run, calls: JsonObject[], output: Json | undefined, caused_by: string): string {
  const { iteration } = run.state;
  const proposed = { iteration, calls: calls.map(asCall) };
  return run.log.emit("plan.proposed", output === undefined ? proposed : { ...proposed, output }, { caused_by });
}

/** Rejects an iteration's plan or output. */
export function rejectPlan(run: Run, problems: JsonObject[], reason: string, caused_by: string | null): void {
  run.log.emit("plan.rejected", { iteration: run.state.iteration, problems, reason }, { caused_by });
}

/** Accepts a plan; in shadow mode it is only simulated (P22). */
export function acceptPlan(run: Run, checked: Checked, notes: JsonObject[], caused_by: string): void {
  const { iteration } = run.state;
  const outputs = checked.outputs.map(({ call_id, keys, writes }) => ({
    call_id,
    ...(keys ? { keys } : {}),
    ...(writes ? { writes } : {}),
  }));
  const validated = { iteration, problems: notes, ...(outputs.length > 0 && { outputs }) };
  const valid = run.log.emit("plan.validated", validated, { caused_by });
  // A model's plan without calls is an answer, in every mode.
  const isAnswer = run.state.by_model && checked.plan.length === 0;
  if (run.state.mode !== "shadow" || run.state.settings.simulated || isAnswer) return;
  run.log.emit("plan.simulated", { iteration, result: checked.outline() }, { caused_by: valid });
  finishRun(run, undefined, "shadow");
}

/** Adds the memory's schema to a context, for validating plans (M15). */
function withMemorySchema({ data, text }: Context, memory: StepEnv["memory"]): Context {
  if (!memory) return { data, text };
  const { schema } = memory;
  return { data: data.map((each) => (each.kind === "memory" ? { schema, ...each } : each)), text };
}

function reasonOf(problems: readonly PlanProblem[]): string {
  return problems.find(({ severity }) => severity === "error")?.message ?? "The plan is invalid";
}

/** In the catalogue's form: a call without a valid tool name gets `unknown`. */
function asCall(call: JsonObject): JsonObject & { _tool: string; _id?: string | null } {
  const { _id, _tool, ...rest } = call;
  const named = identifier.safeParse(_id).data;
  const tool = { _tool: identifier.safeParse(_tool).data ?? "unknown" };
  return named === undefined ? { ...tool, ...rest } : { ...tool, _id: named, ...rest };
}
