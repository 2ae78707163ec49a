import { readPlan } from "@/lib/session/runs/planned-calls.ts";
import type { Call, Run, Session } from "@/lib/session/session.ts";

/** The agent's reason for a call, and the call's status. */
export interface CallReason {
  /** Its key: plan and call id. */
  key: string;
  tool: string;
  reasoning: string;
  /** The call for each instance; empty before it has started. */
  calls: readonly Call[];
}

/** The reasons of an iteration, in order of its plan. */
export interface PlanReasons {
  key: string;
  run: Run | null;
  iteration: number;
  reasons: readonly CallReason[];
}

/** The reasons of planned calls so far (`_reasoningForCall`), by plan, newest first. */
export function callReasons(session: Session): PlanReasons[] {
  const calls = Map.groupBy(session.calls.values(), ({ run_id, iteration, id }) => keyOf(run_id, iteration, id));
  return [...session.plans.values()]
    .map((plan) => ({
      key: keyOf(plan.run_id, plan.iteration, ""),
      run: session.runs.get(plan.run_id) ?? null,
      iteration: plan.iteration,
      reasons: readPlan(plan).flatMap(({ id, tool, reasoning }) => {
        const key = keyOf(plan.run_id, plan.iteration, id);
        return reasoning ? [{ key, tool, reasoning, calls: calls.get(key) ?? [] }] : [];
      }),
    }))
    .filter(({ reasons }) => reasons.length > 0)
    .reverse();
}

function keyOf(run: string | null, iteration: number, id: string): string {
  return `${run ?? ""}\u0000${iteration}\u0000${id}`;
}
