import { type ShownCallStatus, shownStatus } from "@/components/ui/status.ts";
import type { PlanCall } from "@/lib/plan/call.ts";
import { overlaps } from "@/lib/plan/overlap.ts";
import type { Reference } from "@/lib/plan/reference.ts";
import { callKey, planKey } from "@/lib/session/keys.ts";
import { readPlan } from "@/lib/session/runs/planned-calls.ts";
import type { Confirmation, Session } from "@/lib/session/session.ts";

/** A neighbour of the pending call, and its status. */
export interface Neighbour {
  id: string;
  tool: string;
  status: ShownCallStatus;
}

/** The pending call with its neighbours in the plan. */
export interface InPlan {
  call: PlanCall;
  /** Its status. */
  status: ShownCallStatus;
  /** The calls that it reads from. */
  before: Neighbour[];
  /** The calls that read from it. */
  after: Neighbour[];
}

/** Finds a confirmation's call in the plan that proposed it; null without a plan. */
export function inPlan(session: Session, { run_id, iteration, call_id, instance }: Confirmation): InPlan | null {
  const plan = session.plans.get(planKey(run_id, iteration));
  const calls = plan ? readPlan(plan) : [];
  const call = calls.find(({ id }) => id === call_id);
  if (!call) return null;
  const neighbour = ({ id, tool }: PlanCall): Neighbour => {
    const own = session.calls.get(callKey(run_id, iteration, instance, id));
    return { id, tool, status: shownStatus(own ?? session.calls.get(callKey(run_id, iteration, "", id)) ?? null) };
  };
  const others = calls.filter(({ id }) => id !== call.id);
  return {
    call,
    status: neighbour(call).status,
    before: others.filter((other) => feeds(other, call)).map(neighbour),
    after: others.filter((other) => feeds(call, other)).map(neighbour),
  };
}

/** Whether one call may write what the other reads (P15). */
function feeds(writer: PlanCall, reader: PlanCall): boolean {
  const written: Reference[] = writer.output?.flat() ?? [];
  return reader.reads
    .flatMap(({ expression }) => expression.flat())
    .some((read) => written.some((target) => overlaps(target, read)));
}

/** The state of the requesting run, for current values. */
export function stateOf(session: Session, { run_id, instance }: Confirmation) {
  return session.runs.get(run_id ?? "")?.state[instance] ?? null;
}
