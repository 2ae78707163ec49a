import type { StoreApi } from "zustand/vanilla";
import { createPlanStore } from "@/components/playground/plan-store.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import type { PlanPair } from "@/lib/session/compare/plans.ts";
import { planKey } from "@/lib/session/keys.ts";
import { emptySession } from "@/lib/session/reducer/reducer.ts";
import type { Call, Plan, Session } from "@/lib/session/session.ts";
import { nodeId, sidedRun } from "./merge-plans.ts";

/** What became of the calls of a pair of plans, as the graph's parts read it: the second side's, else the first's. */
export function storeOf(pair: PlanPair, a: Session, b: Session): StoreApi<StudioState> {
  const [ofA, ofB] = [callsOf(pair.a, a), callsOf(pair.b, b)];
  const known = pair.calls.flatMap(({ id, b: inB }): [string, Call][] => {
    const call = (inB === null ? ofA : ofB).get(id);
    return call ? [[nodeId(id), call]] : [];
  });
  const sided = (side: "a" | "b", plan: Plan | null): [string, Plan][] =>
    plan ? [[planKey(sidedRun(side, plan.run_id), plan.iteration), plan]] : [];
  const { store, show } = createPlanStore();
  const session = emptySession(null);
  show([{ ...session, calls: new Map(known), plans: new Map([...sided("a", pair.a), ...sided("b", pair.b)]) }]);
  return store;
}

/** The calls of a plan by their ids: its own, and what had succeeded before it. Of instances, one that failed. */
function callsOf(plan: Plan | null, session: Session): Map<string, Call> {
  const found = new Map<string, Call>();
  if (!plan) return found;
  const isOwn = (call: Call) => call.run_id === plan.run_id && call.iteration === plan.iteration;
  for (const call of session.calls.values()) {
    const known = found.get(call.id);
    const isBetter = isOwn(call) ? !known || !isOwn(known) || known.status !== "failed" : !known || !isOwn(known);
    if (isBetter && (isOwn(call) || call.status === "succeeded")) found.set(call.id, call);
  }
  return found;
}
