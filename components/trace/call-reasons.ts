import { readPlan } from "@/components/selection/planned-calls.ts";
import type { Call, Run, Session } from "@/lib/session/session.ts";

/** Why a call was planned, in the agent's words, and what has become of it. */
export interface CallReason {
  /** By which it is known: its plan and its id in it. */
  key: string;
  tool: string;
  reasoning: string;
  /** The call as it stands, one for each instance; empty where it has not begun. */
  calls: readonly Call[];
}

/** The reasons of one iteration of a run, in the order of its plan. */
export interface PlanReasons {
  key: string;
  run: Run | null;
  iteration: number;
  reasons: readonly CallReason[];
}

/** Why agents made the calls that were planned by now (`_reasoningForCall`), plan by plan, the newest first. */
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
