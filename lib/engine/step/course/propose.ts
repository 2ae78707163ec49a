import { instancesOf } from "../../../plan/context.ts";
import type { Context } from "../../../plan/message.ts";
import type { PlanProblem } from "../../../plan/problem.ts";
import { identifier } from "../../../session/catalogue.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import { type CheckedPlan, type PlanMaterial, playedOutline, readPlan } from "../../plan-reading.ts";
import type { Toolset } from "../../tools/toolset.ts";
import type { StepEnv } from "../env.ts";
import type { Run } from "../run.ts";
import { contextNow } from "../state/context-now.ts";
import { failRun, finishRun } from "./end-run.ts";

/** What validation found of a plan. */
export interface Checked extends CheckedPlan {
  /** How it would go, as is kept with a run (P22). */
  outline(): Json;
}

/** What a plan is read against in a run. */
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

/** Validates a plan as it stands in a run or will (P16). */
export function checkPlan(...described: Parameters<typeof materialOf>): Checked {
  const material = materialOf(...described);
  const reading = readPlan(material);
  return { ...reading, outline: () => playedOutline(material, reading) };
}

/** The same of what a model or a delegate proposes, which may be too long. */
export function checkProposed(...described: Parameters<typeof materialOf>): Checked {
  const [, plan, , context] = described;
  return countCalls(plan, context) > MOST_CALLS.proposed ? refused(plan) : checkPlan(...described);
}

/** What is too long is not looked at. */
function refused(plan: readonly JsonObject[]): Checked {
  const message = `The plan has ${plan.length} calls per instance, and at most ${MOST_CALLS.proposed} in all can be proposed at once; propose it in parts`;
  const problem = { code: "unchecked", severity: "error", call: null, path: "", message } as const;
  return { ok: false, problems: [problem], plan: [...plan], outputs: [], instances: [], outline: () => null };
}

/** A plan is proposed, and stands once it is found to hold. A given one that does not hold fails its run. */
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

/** Tells of a plan before anything is known of it. */
export function proposePlan(run: Run, calls: JsonObject[], output: Json | undefined, caused_by: string): string {
  const { iteration } = run.state;
  const proposed = { iteration, calls: calls.map(asCall) };
  return run.log.emit("plan.proposed", output === undefined ? proposed : { ...proposed, output }, { caused_by });
}

/** An iteration's plan, or its output, does not hold. */
export function rejectPlan(run: Run, problems: JsonObject[], reason: string, caused_by: string | null): void {
  run.log.emit("plan.rejected", { iteration: run.state.iteration, problems, reason }, { caused_by });
}

/** The plan stands; in shadow it is played, and that is all (P22). */
export function acceptPlan(run: Run, checked: Checked, notes: JsonObject[], caused_by: string): void {
  const { iteration } = run.state;
  const outputs = checked.outputs.map(({ call_id, keys, writes }) => ({
    call_id,
    ...(keys ? { keys } : {}),
    ...(writes ? { writes } : {}),
  }));
  const validated = { iteration, problems: notes, ...(outputs.length > 0 && { outputs }) };
  const valid = run.log.emit("plan.validated", validated, { caused_by });
  // A model that calls nothing answers, in every mode.
  const isAnswer = run.state.by_model && checked.plan.length === 0;
  if (run.state.mode !== "shadow" || run.state.settings.simulated || isAnswer) return;
  run.log.emit("plan.simulated", { iteration, result: checked.outline() }, { caused_by: valid });
  finishRun(run, undefined, "shadow");
}

/** The memory in a context with its schema, by which plans are checked (M15). */
function withMemorySchema({ data, text }: Context, memory: StepEnv["memory"]): Context {
  if (!memory) return { data, text };
  const { schema } = memory;
  return { data: data.map((each) => (each.kind === "memory" ? { schema, ...each } : each)), text };
}

function reasonOf(problems: readonly PlanProblem[]): string {
  return problems.find(({ severity }) => severity === "error")?.message ?? "The plan is invalid";
}

/** As the catalogue has calls: what names no tool names none that there is. */
function asCall(call: JsonObject): JsonObject & { _tool: string; _id?: string | null } {
  const { _id, _tool, ...rest } = call;
  const named = identifier.safeParse(_id).data;
  const tool = { _tool: identifier.safeParse(_tool).data ?? "unknown" };
  return named === undefined ? { ...tool, ...rest } : { ...tool, _id: named, ...rest };
}
