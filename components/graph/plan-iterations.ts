import { type PlanChanges, planChanges } from "@/lib/plan/plan-changes.ts";
import { planKey } from "@/lib/session/keys.ts";
import type { Plan, Session } from "@/lib/session/session.ts";
import { mergedLayoutOf } from "./layout/merged-layout.ts";
import type { DrawnPlan } from "./level-reader.ts";
import type { IterationMark, IterationMarks } from "./node/iteration-marks.ts";
import { readLevel, type Toggled } from "./plan-level.ts";

/** Changes of calls since the previous iteration with a plan. */
export interface IterationChanges extends PlanChanges {
  /** The previous iteration and its plan. */
  since: number;
  before: Plan;
}

/** What a plan shares with the run's other iterations. */
export interface PlanIterations {
  changes: IterationChanges | null;
  /** The merged layout of all iterations, in which unchanged calls keep their positions; null for separate layouts. */
  ground: DrawnPlan | null;
  /** How nodes differ from the previous iteration, by id. */
  marks: IterationMarks;
}

export const ALONE: PlanIterations = { changes: null, ground: null, marks: new Map() };

/** Above this number of calls, iterations are not merged. */
const MOST_CALLS = 600;

interface Looked {
  session: Session;
  plan: Plan;
  drawn: DrawnPlan;
  instance: string;
  toggled: Toggled;
}

/** Creates a reader that returns the same object while the proposed plans of a run are the same. */
export function createIterationsReader(): (looked: Looked) => PlanIterations {
  let known: unknown[] = [];
  let read: PlanIterations = ALONE;
  return (looked) => {
    const { session, plan, drawn, instance } = looked;
    if (plan.recorded) return ALONE;
    const proposed = [...session.plans.values()].filter(
      ({ run_id, calls }) => run_id === plan.run_id && calls.length > 0,
    );
    const next = [drawn, instance, ...proposed];
    if (next.length !== known.length || next.some((part, index) => part !== known[index])) {
      known = next;
      const changes = changesOf(session, plan, proposed);
      read = { changes, ground: readGround(looked, proposed), marks: marksOf(drawn, changes) };
    }
    return read;
  };
}

function changesOf(session: Session, plan: Plan, proposed: readonly Plan[]): IterationChanges | null {
  const before = proposed
    .filter(({ iteration }) => iteration < plan.iteration)
    .toSorted((a, b) => b.iteration - a.iteration)[0];
  const after = session.plans.get(planKey(plan.run_id, plan.iteration));
  if (!before || !after) return null;
  return { ...planChanges(before.calls, after.calls), since: before.iteration, before };
}

/** When all calls are new, marking each would say nothing. */
function marksOf({ level }: DrawnPlan, changes: IterationChanges | null): IterationMarks {
  const marks = new Map<string, IterationMark>();
  if (!changes) return marks;
  const { nodes } = level.whole ?? level;
  const added = new Set(changes.added.length < nodes.length ? changes.added : []);
  for (const { id, call } of nodes) {
    const fields = changes.changed.get(call.id);
    if (added.has(call.id)) marks.set(id, { kind: "added" });
    else if (fields) marks.set(id, { kind: "changed", fields });
  }
  return marks;
}

function readGround({ session, plan, drawn, instance, toggled }: Looked, proposed: readonly Plan[]): DrawnPlan | null {
  const sum = proposed.reduce((total, { calls }) => total + calls.length, 0);
  if (proposed.length < 2 || sum > MOST_CALLS) return null;
  const ordered = proposed.toSorted((a, b) => a.iteration - b.iteration);
  const levels = ordered.map((one) =>
    one.iteration === plan.iteration ? drawn.level : readLevel(one, { session, instance, toggled }),
  );
  return mergedLayoutOf(levels, drawn.level);
}
