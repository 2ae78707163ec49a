import { createSchemaChecker } from "../../engine/json-schema.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { readContext } from "../context.ts";
import type { PlanProblemCode } from "../problem.ts";
import type { DelegateShape, Tool } from "../tool.ts";
import { type PlanReading, validatePlan } from "../validate/validate.ts";

export const checker = createSchemaChecker();

/** What a plan is checked against. */
export interface Surroundings {
  tools?: Tool[];
  context?: JsonObject[];
  delegates?: DelegateShape[];
  depth?: number;
  stack?: string[];
}

/** A tool with an activity; what it takes is closed, so that an unknown parameter stands out. */
export function tool(name: string, properties: JsonObject = {}, more: Partial<Tool> & { output?: Json } = {}): Tool {
  const { output, ...rest } = more;
  return {
    name,
    description: "",
    schema: {
      type: "object",
      properties: { ...properties, ...(output !== undefined && { _output: output }) },
      additionalProperties: false,
    },
    has_activity: true,
    requires_confirmation: false,
    ...rest,
  };
}

export function delegate(name: string, more: Partial<DelegateShape> = {}): DelegateShape {
  const none = { plan: null, tools: null, input_schema: null, output_schema: null, max_depth: null };
  return { name, ...none, strict: false, writes: [], ...more };
}

/** Validates a plan. Throws when the context cannot be read: the test is wrong then. */
export function check(plan: JsonObject[], surroundings: Surroundings = {}): PlanReading {
  const { tools = [], context = [], delegates = [], depth = 0, stack = [] } = surroundings;
  const read = readContext(context);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return validatePlan({
    plan,
    toolbox: {
      tool: (name) => tools.find((each) => each.name === name),
      delegate: (name) => delegates.find((each) => each.name === name),
    },
    context: read.context,
    checker,
    depth,
    delegateStack: stack,
  });
}

/** The problems as a line each: `error cycle a /x`. */
export function problemsOf(plan: JsonObject[], surroundings?: Surroundings): string[] {
  return check(plan, surroundings).problems.map(
    ({ severity, code, call, path }) => `${severity} ${code} ${call} ${path}`,
  );
}

/** The sentence of the only problem of a code. */
export function sentenceOf(code: PlanProblemCode, plan: JsonObject[], surroundings?: Surroundings): string {
  const found = check(plan, surroundings).problems.filter((problem) => problem.code === code);
  if (found.length !== 1) throw new Error(`${found.length} problems of the code ${code}`);
  return found[0]?.message ?? "";
}
