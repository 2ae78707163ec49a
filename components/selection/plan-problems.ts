import type { Plan, ReportedProblem } from "@/lib/session/session.ts";

const NONE: readonly ReportedProblem[] = [];

// Plan objects are immutable, and every node asks on every step.
const sorted = new WeakMap<Plan, Map<string | null, ReportedProblem[]>>();

/** The problems of a plan's call (P16). The same array for the same plan. */
export function problemsOf(plan: Plan | undefined, callId: string): readonly ReportedProblem[] {
  if (!plan) return NONE;
  const known = sorted.get(plan) ?? Map.groupBy(plan.problems, ({ call }) => call);
  sorted.set(plan, known);
  return known.get(callId) ?? NONE;
}

/** The worst severity; null for none. */
export function worstOf(problems: readonly ReportedProblem[]): ReportedProblem["severity"] | null {
  if (problems.length === 0) return null;
  return problems.some(({ severity }) => severity === "error") ? "error" : "warning";
}
