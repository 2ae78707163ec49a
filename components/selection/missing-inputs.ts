import { overlaps } from "@/lib/plan/overlap.ts";
import { printReference, valueAt } from "@/lib/plan/reference.ts";
import { callKey, planKey } from "@/lib/session/keys.ts";
import { readPlan } from "@/lib/session/runs/planned-calls.ts";
import type { Call, CallStatus, Session } from "@/lib/session/session.ts";

/** A path that a call reads and that has no value, with its possible writers. */
export interface MissingInput {
  path: string;
  writers: Call[];
}

/**
 * The missing inputs of a call that has not started (P21): for a planned one, paths that may still be written; for a
 * blocked one, paths of failed writers; for a skipped one, paths of branches that were not taken.
 */
export function missingInputsOf(session: Session, call: Call): MissingInput[] {
  const isWanted = WANTED[call.status];
  const plan = session.plans.get(planKey(call.run_id, call.iteration));
  if (!plan || !isWanted) return [];
  const planned = readPlan(plan);
  const state = session.runs.get(call.run_id ?? "")?.state[call.instance] ?? null;
  const read = planned.find(({ id }) => id === call.id)?.reads ?? [];
  const wants = new Map<string, MissingInput>();
  for (const reference of read.flatMap(({ expression }) => expression.flat())) {
    if (reference.kind !== "state" || valueAt(state, reference.path) !== undefined) continue;
    const writers = planned
      .filter(({ id, output }) => id !== call.id && output?.flat().some((target) => overlaps(target, reference)))
      .flatMap(({ id }) => standingCall(session, call, id) ?? [])
      .filter(isWanted);
    const path = printReference(reference);
    if (writers.length > 0) wants.set(path, { path, writers });
  }
  return [...wants.values()];
}

/** The call of that id in the same iteration, for the same instance or without one. */
function standingCall(session: Session, { run_id, iteration, instance }: Call, id: string): Call | undefined {
  return (
    session.calls.get(callKey(run_id, iteration, instance, id)) ?? session.calls.get(callKey(run_id, iteration, "", id))
  );
}

function isPending({ status }: Call): boolean {
  return status === "planned" || status === "running" || status === "parked";
}

/** It ended without writing, so its readers are blocked (P21). */
export function isLost({ status, handled }: Pick<Call, "status" | "handled">): boolean {
  return (status === "failed" && !handled) || status === "blocked" || status === "denied" || status === "cancelled";
}

/** Which writers of a missing path are the reason, depending on the reader's status. */
const WANTED: Partial<Record<CallStatus, (writer: Call) => boolean>> = {
  planned: isPending,
  blocked: isLost,
  skipped: (writer) => !isPending(writer) && !isLost(writer),
};
