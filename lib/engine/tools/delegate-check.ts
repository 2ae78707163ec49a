import { readCalls } from "../../plan/call.ts";
import { readContext } from "../../plan/context.ts";
import { uniqueCalls } from "../../plan/graph.ts";
import { parsePath } from "../../plan/output-path.ts";
import { type PlanProblem, pointerTo } from "../../plan/problem.ts";
import { prepare } from "../../plan/schedule/prepare.ts";
import type { SchemaChecker } from "../../plan/schema/schema-checker.ts";
import { checkOrder } from "../../plan/validate/validate-order.ts";
import type { JsonObject } from "../../session/json/json.ts";
import type { DelegateDefinition } from "./delegate.ts";
import type { Fault } from "./tool-check.ts";

/** What keeps a delegate from being one, its plan aside (P27). */
export function delegateFaults(definition: DelegateDefinition, checker: SchemaChecker): Fault[] {
  const { context, writes, input_schema, output_schema, output, plan } = definition;
  const read = readContext(context);
  const faults: Fault[] = read.ok
    ? []
    : read.faults.map(({ path, message }) => ({ path: pointerTo(["context", ...path]), message }));
  writes.forEach((text, index) => {
    const path = parsePath(text);
    if (!path.ok)
      faults.push({ path: pointerTo(["writes", index]), message: `is not a state path: ${path.error.message}` });
  });
  for (const [name, schema] of Object.entries({ input_schema, output_schema })) {
    const refusal = schema === undefined ? null : checker.refusal(schema);
    if (refusal !== null) faults.push({ path: `/${name}`, message: `is not a JSON Schema: ${refusal}` });
  }
  if (output !== undefined && !plan)
    faults.push({ path: "/output", message: "requires a plan; add one, or omit this" });
  return faults;
}

/** What is wrong with a plan wherever it runs. What it is given, its tools included, is only known then (P16). */
export function planProblems(plan: readonly JsonObject[]): PlanProblem[] {
  const calls = readCalls(plan);
  const unread = calls.flatMap(({ problems }) => problems);
  const { problems } = checkOrder(prepare(uniqueCalls(calls), () => false));
  return [
    ...unread.map((problem) => ({ ...problem, severity: "error" as const, path: pointerTo(problem.path) })),
    ...problems.filter(({ severity }) => severity === "error"),
  ];
}
