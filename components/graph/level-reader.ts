import { choosePlan } from "@/lib/session/choose-plan.ts";
import { planKey } from "@/lib/session/keys.ts";
import type { Plan, Session } from "@/lib/session/session.ts";
import type { InferredByCall } from "./edge/inferred-inputs.ts";
import { layoutKey } from "./layout/layout-key.ts";
import { type PlanLevel, readLevel, type Toggled } from "./plan-level.ts";

/** A plan to be drawn, with the key under which its layout can be kept. */
export interface DrawnPlan {
  level: PlanLevel;
  key: string;
}

export type LevelReader = (
  session: Session,
  plan: Plan,
  instance: string,
  toggled: Toggled,
  inferred?: InferredByCall,
) => DrawnPlan;

const NOTHING: InferredByCall = new Map();

/**
 * Makes a reader that answers the same object as long as the plan's structure is the same: a session changes with
 * every step, its plan seldom, and reading 1,000 calls takes 15 ms. `collapse`: long chains of large plans are drawn
 * as one node each, until they are toggled.
 */
export function createLevelReader({ collapse = false } = {}): LevelReader {
  let structure = "";
  let drawn: DrawnPlan | null = null;
  let known = NOTHING;
  return (session, plan, instance, toggled, inferred = NOTHING) => {
    const next = [instance, ...toggled, "", structureOf(session, plan)].join("\u0001");
    if (!drawn || next !== structure || inferred !== known) {
      const level = readLevel(plan, { session, instance, toggled, collapse, inferred });
      const key = layoutKey(level);
      drawn = { level, key };
      structure = next;
      known = inferred;
    }
    return drawn;
  };
}

/** A text that changes when calls come or go or a delegate gets a plan, and with nothing else. */
export function structureOf(session: Session, plan: Plan, depth = 0): string {
  const proposed = session.plans.get(planKey(plan.run_id, plan.iteration));
  const others = plan.calls.slice(plan.recorded ? 0 : (proposed?.calls.length ?? 0));
  const parts: unknown[] = [plan.run_id, plan.iteration, plan.recorded, proposed && identityOf(proposed)];
  for (const call of others) parts.push(call._id, call._instance, Object.keys(call).length > 2);
  for (const run of session.runs.values()) {
    if (run.parent_run_id !== plan.run_id || depth > 8) continue;
    const child = choosePlan(session, run.id, null);
    parts.push(run.id, run.parent_call_id, run.started_seq, child && structureOf(session, child, depth + 1));
  }
  return parts.join("\u0000");
}

const identities = new WeakMap<Plan, number>();
let newest = 0;

/** A number for each plan object: the reducer never changes a plan in place. */
function identityOf(plan: Plan): number {
  const known = identities.get(plan);
  if (known !== undefined) return known;
  identities.set(plan, ++newest);
  return newest;
}
