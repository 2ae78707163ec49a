import { callKey, planKey } from "@/lib/session/keys.ts";
import { isChildOf } from "@/lib/session/runs/child-run.ts";
import { SHADOW } from "@/lib/session/runs/run-reasons.ts";
import type { Call, Run, Session } from "@/lib/session/session.ts";
import { firstValue, type Plain } from "./first-value.ts";

/** A call as a row of the thread; a delegate's calls are nested below it. */
export interface CallRow {
  key: string;
  call: Call;
  /** The step of its first event; nested calls are at their delegate's. */
  seq: number;
  depth: number;
  /** The delegate's name, if any. */
  delegate: string | null;
  /** It is only planned: its agent may not execute it (M13). */
  plannedOnly: boolean;
  /** For an only planned call, its first parameter; null for others. */
  about: Plain | null;
}

/**
 * Rows of calls with events, and of calls that are only planned. Pending and skipped calls have no row, and a parked
 * one is shown by its confirmation.
 */
export function rowsOf(session: Session, calls: readonly Call[]): CallRow[] {
  const delegated = delegatedWork(session, calls);
  const nested = new Set([...delegated.values()].flatMap(({ calls: own }) => own));
  const rows: CallRow[] = [];
  const add = (call: Call, seq: number, depth: number): void => {
    const work = delegated.get(call);
    const plannedOnly = isPlannedOnly(session, call);
    if (plannedOnly || isShown(call)) {
      const about = plannedOnly ? plannedAbout(session, call) : null;
      rows.push({ key: keyOf(call), call, seq, depth, delegate: work?.run.delegate ?? null, plannedOnly, about });
    }
    for (const child of inOrder(work?.calls ?? [])) add(child, seq, depth + 1);
  };
  for (const call of calls) if (!nested.has(call)) add(call, placeOf(call) ?? runStart(session, call), 0);
  return rows;
}

/** The key of a call in the session. */
export function keyOf(call: Call): string {
  return callKey(call.run_id, call.iteration, call.instance, call.id);
}

function isShown({ status }: Call): boolean {
  return status !== "planned" && status !== "skipped" && status !== "parked";
}

function isPlannedOnly(session: Session, { run_id, status, planned }: Call): boolean {
  return planned || (status === "planned" && session.runs.get(run_id ?? "")?.reason === SHADOW);
}

/** The first parameter of a planned call; meta-properties start with `_` (P1). */
function plannedAbout(session: Session, { run_id, iteration, id }: Call): Plain | null {
  const planned = session.plans.get(planKey(run_id, iteration))?.calls.find(({ _id }) => _id === id) ?? {};
  return firstValue(Object.entries(planned).flatMap(([name, value]) => (name.startsWith("_") ? [] : [value])));
}

/** Null for a call without events. */
function placeOf(call: Call): number | null {
  return call.started_seq ?? call.ended_seq ?? call.parked_seq;
}

/** No event says when a call was planned; it is before its run's answer. */
function runStart(session: Session, { run_id }: Call): number {
  return session.runs.get(run_id ?? "")?.started_seq ?? Number.MAX_SAFE_INTEGER;
}

function inOrder(calls: readonly Call[]): Call[] {
  const last = Number.MAX_SAFE_INTEGER;
  return calls.toSorted((a, b) => (placeOf(a) ?? last) - (placeOf(b) ?? last));
}

/** The delegate's run and its calls, by the call that it executes. */
function delegatedWork(session: Session, calls: readonly Call[]): Map<Call, { run: Run; calls: Call[] }> {
  const byRun = Map.groupBy(calls, (call) => call.run_id ?? "");
  const work = new Map<Call, { run: Run; calls: Call[] }>();
  for (const run of session.runs.values()) {
    if (run.parent_call_id === null) continue;
    const parent = inOrder(byRun.get(run.parent_run_id ?? "") ?? []).findLast((call) => isChildOf(run, call));
    if (!parent) continue;
    const own = byRun.get(run.id) ?? [];
    work.set(parent, { run, calls: [...(work.get(parent)?.calls ?? []), ...own] });
  }
  return work;
}
