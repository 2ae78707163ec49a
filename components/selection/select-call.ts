import type { Call, Session } from "@/lib/session/session.ts";
import { callsOf, instanceOf, isInInstance, type ResolvedSelection, rootRun } from "./resolve-selection.ts";
import type { Selection } from "./use-selection.ts";

/**
 * Resolves a call id: in the current run, its newest iteration and the current instance first, then in its delegates,
 * then in any run. Null when there is no such call.
 */
export function findCall(session: Session, looked: ResolvedSelection, id: string | null): Call | null {
  if (id === null) return null;
  const inRun = callsOf(session, looked.run, looked.instance).filter((call) => call.id === id);
  const inIteration = inRun.findLast((call) => looked.iteration === null || call.iteration === looked.iteration);
  if (inIteration) return inIteration;
  const others = [...session.calls.values()].filter(
    (call) => call.id === id && isInInstance({ instance: instanceOf(session, call) }, looked.instance),
  );
  const delegated = others.findLast((call) => rootRun(session, call.run_id ?? "")?.id === looked.run?.id);
  return delegated ?? others.at(-1) ?? null;
}

/** The parameters that select a call, with its run, iteration and instance where others are shown. */
export function selectionOf(session: Session, looked: ResolvedSelection, call: Call): Partial<Selection> {
  const root = rootRun(session, call.run_id ?? "");
  const isOwn = (call.run_id ?? "") === root?.id;
  const change: Partial<Selection> = { call: call.id, tab: "call" };
  if (root && root.id !== looked.run?.id) {
    change.run = root.id;
    change.iteration = isOwn ? call.iteration : null;
  } else if (isOwn && looked.iteration !== null && looked.iteration !== call.iteration)
    change.iteration = call.iteration;
  const instance = instanceOf(session, call);
  if (instance !== "" && instance !== looked.instance) change.instance = instance;
  return change;
}
