import { type Context, instancesOf } from "../plan/context.ts";
import type { PlanProblem } from "../plan/problem.ts";
import { pointerTo } from "../plan/problem.ts";
import { simulate } from "../plan/schedule/simulate.ts";
import { outlineOf, type Simulation } from "../plan/schedule/simulation.ts";
import type { SchemaChecker } from "../plan/schema/schema-checker.ts";
import type { Toolbox } from "../plan/tool.ts";
import { type PlanReading, validatePlan } from "../plan/validate/validate.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { InvalidInput, InvalidPlan } from "./errors.ts";
import { toJson } from "./plain-json.ts";
import { countParts, countValue } from "./schema-cost.ts";

/** A plan and what it is validated against. */
export interface PlanMaterial {
  plan: readonly JsonObject[];
  context: Context;
  toolbox: Toolbox;
  checker: SchemaChecker;
  /** The delegates that it is in, the outermost first. */
  lineage: readonly string[];
}

/** The result of validating a plan, as data. */
export type CheckedPlan = Omit<PlanReading, "calls" | "graph">;

/** Questions about a plan and the types of their answers. */
export interface PlanAnswers {
  check: CheckedPlan;
  /** The same, with an outline of its simulation if it is valid (P22). */
  outline: CheckedPlan & { outline: Json };
  /** The JSON text of a `Validation`. */
  describe: string;
  /** The calls that remain when those that can never read their values are removed, one after another. */
  reachable: JsonObject[];
}

/** Each question with its answer. A pure function of the material, so that any thread can give it. */
export const PLAN_READINGS: { [Question in keyof PlanAnswers]: (material: PlanMaterial) => PlanAnswers[Question] } = {
  check: (material) => withoutCalls(readPlan(material)),
  outline(material) {
    const reading = readPlan(material);
    return { ...withoutCalls(reading), outline: reading.ok ? simulatedOutline(material, reading) : null };
  },
  describe(material) {
    const { ok, problems, graph } = readPlan(material);
    return JSON.stringify({ ok, problems, graph });
  },
  reachable(material) {
    for (let { plan } = material; ; ) {
      const { problems } = readPlan({ ...material, plan });
      const unbound = new Set(problems.flatMap((problem) => (isUnbound(problem) ? [problem.call] : [])));
      if (unbound.size === 0) return [...plan];
      plan = plan.filter(({ _id }) => typeof _id !== "string" || !unbound.has(_id));
    }
  },
};

/** Reads a plan as it stands in a run or will (P16). */
export function readPlan({ plan, context, toolbox, checker, lineage }: PlanMaterial): PlanReading {
  return validatePlan({ plan, toolbox, context, checker, depth: lineage.length, delegateStack: lineage });
}

/** The simulation of each instance of a valid plan, by its name; of the whole run if there are none. */
export function simulatedOutline(
  { context, toolbox, checker }: PlanMaterial,
  { calls, instances }: Pick<PlanReading, "calls" | "instances">,
): Json {
  const simulated = instances.map((instance): [string, Json] => {
    const own = calls.filter((call) => call.instance === "" || call.instance === instance);
    return [instance, toJson(outlineOf(simulate({ calls: own, context, instance, toolbox, branches: {}, checker })))];
  });
  const [first] = simulated;
  return first?.[0] === "" ? first[1] : Object.fromEntries(simulated);
}

/**
 * The JSON text of a plan's `Simulation`, piece by piece: the states of all steps together grow with the square of the plan.
 * Throws `InvalidPlan` when it has errors, `InvalidInput` for an unknown branch; both before the first piece.
 */
export function* simulatedText(material: PlanMaterial, branches: Record<string, number>): Generator<string> {
  const { context, toolbox, checker } = material;
  const reading = readPlan(material);
  if (!reading.ok) throw new InvalidPlan(reading.problems);
  checkBranches(reading, branches);
  const [instance = ""] = reading.instances;
  const calls = reading.calls.filter((call) => call.instance === "" || call.instance === instance);
  const { steps, ...whole }: Simulation = simulate({ calls, context, instance, toolbox, branches, checker });
  yield `${JSON.stringify(whole).slice(0, -1)},"steps":[`;
  for (const [index, step] of steps.entries()) yield `${index === 0 ? "" : ","}${JSON.stringify(step)}`;
  yield "]}";
}

/** So many values of a plan and its context, those of each instance counted, are read in about 10 ms. */
const MOST_READ_AT_ONCE = 2_000;
/** So many parts of schemas are compiled in about 10 ms. */
const MOST_COMPILED_AT_ONCE = 500;
/** Each removed call may require another validation of the rest. */
const MOST_READ_AGAIN = 200;

/** Whether answering a question about a plan would block the event loop for too long. */
export function isLongReading(question: keyof PlanAnswers | "simulate", plan: readonly JsonObject[], context: Context) {
  const most = question === "reachable" ? MOST_READ_AGAIN : MOST_READ_AT_ONCE;
  const parts = context.data.reduce((sum, { schema }) => sum + (schema === undefined ? 0 : countParts(schema)), 0);
  if (parts > MOST_COMPILED_AT_ONCE) return true;
  const data = context.data.map(({ data = null, schema = null }) => [data, schema]);
  return countValue([[...plan], data], most) * instancesOf(context).length > most;
}

function withoutCalls({ calls: _calls, graph: _graph, ...kept }: PlanReading): CheckedPlan {
  return kept;
}

function isUnbound({ code, severity }: PlanProblem): boolean {
  return code === "unbound" && severity === "error";
}

function checkBranches({ calls }: PlanReading, branches: Record<string, number>): void {
  const alternatives = new Map(calls.map(({ id, output }) => [id, output?.length ?? 0]));
  const faults = Object.entries(branches).flatMap(([id, index]) => {
    const count = alternatives.get(id);
    if (count !== undefined && index < count) return [];
    const message = count === undefined ? "is not a call of this plan" : `has ${count} alternatives; count from 0`;
    return [{ path: `/branches${pointerTo([id])}`, message }];
  });
  const [first] = faults;
  if (first) throw new InvalidInput(`There is no such alternative: ${first.path} ${first.message}`, faults);
}
