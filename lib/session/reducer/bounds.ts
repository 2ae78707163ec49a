import { planKey } from "../keys.ts";
import type { Call, Run } from "../session.ts";
import type { Folding } from "./folding.ts";

/** Above this number, the calls of the oldest plans are dropped; one plan may be larger and stays whole (E8). */
const CALLS = 1_000;
/**
 * The number of runs with state and plans: people compare runs that are near each other. If outputs have kilobytes,
 * these are most of a view: with 50, and 500 runs listed, a view had 1.2 MB instead of 0.6.
 */
const DETAILED_RUNS = 25;
/** The maximum number of runs; the 200 newest messages seldom belong to more. */
const RUNS = 200;
const CONFIRMATIONS = 200;

/** Drops the oldest parts of a session that exceeds the limits (E8), but nothing that is active. */
export function bound(folding: Folding): void {
  const { root } = folding;
  if (root.calls.size > CALLS) dropOldestPlan(folding);
  if (root.runs.size > DETAILED_RUNS) dropOldestDetails(folding);
  if (root.runs.size > RUNS) dropOldestRun(folding);
  if (root.confirmations.size > CONFIRMATIONS) dropOldestDecision(folding);
}

/** Calls are dropped by plan, so that a plan that is shown is complete. */
function dropOldestPlan(folding: Folding): void {
  const [oldest] = folding.root.calls.values();
  if (oldest && !isCurrent(folding, oldest)) dropPlan(folding, oldest.run_id, oldest.iteration);
}

function isCurrent(folding: Folding, call: Call): boolean {
  const run = folding.root.runs.get(call.run_id ?? "");
  return run !== undefined && call.iteration >= run.iteration && !isPast(folding, run);
}

function dropPlan(folding: Folding, runId: string | null, iteration: number | null): void {
  for (const [key, call] of folding.root.calls) {
    if (call.run_id !== runId || (iteration !== null && call.iteration !== iteration)) continue;
    folding.calls.delete(key);
    folding.root.calls_before += 1;
  }
  if (iteration !== null) folding.plans.delete(planKey(runId, iteration));
  else for (const [key, plan] of folding.root.plans) if (plan.run_id === (runId ?? "")) folding.plans.delete(key);
}

/** Ended, and not the newest top-level run, whose plan and state the view shows. */
function isPast(folding: Folding, run: Run): boolean {
  return run.ended_seq !== null && run.id !== folding.root.summary.newest_run;
}

function dropOldestDetails(folding: Folding): void {
  let detailed = 0;
  let oldest: Run | null = null;
  for (const run of folding.root.runs.values()) {
    if (run.writes.length === 0) continue;
    detailed += 1;
    if (!oldest && isPast(folding, run)) oldest = run;
  }
  if (detailed <= DETAILED_RUNS || !oldest) return;
  dropPlan(folding, oldest.id, null);
  const own = folding.run(oldest.id);
  if (own) {
    own.state = {};
    own.writes = [];
  }
}

function dropOldestRun(folding: Folding): void {
  for (const run of folding.root.runs.values()) {
    if (!isPast(folding, run)) continue;
    dropPlan(folding, run.id, null);
    folding.runs.delete(run.id);
    folding.root.runs_before += 1;
    return;
  }
}

function dropOldestDecision(folding: Folding): void {
  for (const confirmation of folding.root.confirmations.values()) {
    if (confirmation.status === "requested") continue;
    folding.confirmations.delete(confirmation.id);
    return;
  }
}
