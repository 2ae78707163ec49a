import { planKey } from "@/lib/session/keys.ts";
import { choosePlan } from "@/lib/session/runs/choose-plan.ts";
import type { Plan, Session } from "@/lib/session/session.ts";
import type { InferredByCall } from "./edge/inferred-inputs.ts";
import { layoutKey } from "./layout/layout-key.ts";
import { noParts, type PlanLevel, readLevel, type Toggled } from "./plan-level.ts";

/** A level to draw, and the key of its layout. */
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
 * Creates a reader that returns the same object while the plan's structure is the same: a session changes with every
 * step, its plan rarely, and reading 1,000 calls takes 15 ms. `collapse`: long chains of large plans are collapsed by
 * default.
 */
export function createLevelReader({ collapse = false } = {}): LevelReader {
  let structure = "";
  let drawn: DrawnPlan | null = null;
  let known = NOTHING;
  const parts = noParts();
  return (session, plan, instance, toggled, inferred = NOTHING) => {
    const next = [instance, ...toggled, "", structureOf(session, plan)].join("\u0001");
    if (!drawn || next !== structure || inferred !== known) {
      const level = readLevel(plan, { session, instance, toggled, collapse, inferred, known: parts });
      const key = layoutKey(level);
      drawn = { level, key };
      structure = next;
      known = inferred;
    }
    return drawn;
  };
}

/** A string that changes only when calls are added or removed or a delegate gets a plan. */
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

const identities = new WeakMap<object, number>();
let newest = 0;

/** An id for the calls of a plan and what is known of their writes: problems change neither. */
function identityOf({ calls, outputs }: Plan): string {
  return `${idOf(calls)} ${outputs.length === 0 ? "" : idOf(outputs)}`;
}

/** The reducer never mutates a plan. */
function idOf(part: object): number {
  const known = identities.get(part);
  if (known !== undefined) return known;
  identities.set(part, ++newest);
  return newest;
}
