import { choosePlan } from "@/lib/session/runs/choose-plan.ts";
import type { Call, Plan, Run, Session } from "@/lib/session/session.ts";
import type { Selection } from "./use-selection.ts";

/** The run, plan and instance that the studio shows: as selected if they exist, else the newest and the first. */
export interface ResolvedSelection {
  /** Null before the first run. */
  run: Run | null;
  /** The top-level runs, oldest first, for the run menu. */
  runs: readonly Run[];
  /** The position of `run` among all top-level runs, from 1, including those that the view left out. */
  number: number;
  /** Null for recorded calls without a plan. */
  iteration: number | null;
  /** The run's iterations that have a plan or calls, in order. */
  iterations: readonly number[];
  plan: Plan | null;
  /** The run's instances in order; empty without instances. */
  instances: readonly string[];
  /** "" for a run without instances. */
  instance: string;
}

/** The part of the selection that determines what is shown. */
type Wanted = Pick<Selection, "run" | "iteration" | "instance"> & Partial<Pick<Selection, "graph">>;

// Sessions are immutable, and every pane asks: with 5,000 calls a result takes 5 ms.
const answers = new WeakMap<Session, Map<string, ResolvedSelection>>();

/**
 * Resolves a selection in a session; what it names may not exist yet. The same object for the same session and
 * selection.
 */
export function resolveSelection(session: Session, wanted: Wanted): ResolvedSelection {
  const known = answers.get(session) ?? new Map<string, ResolvedSelection>();
  answers.set(session, known);
  const { run, iteration, instance, graph = null } = wanted;
  const key = JSON.stringify([run, iteration, instance, graph]);
  const answer = known.get(key) ?? find(session, wanted);
  known.set(key, answer);
  return answer;
}

function find(session: Session, selection: Wanted): ResolvedSelection {
  const runs = topLevelRuns(session);
  const directed = selection.graph === "stages" ? runs.findLast(({ stages }) => stages.length > 0) : undefined;
  const run = runs.find(({ id }) => id === selection.run) ?? directed ?? newestWithPlan(session, runs);
  const iterations = run ? iterationsOf(session, run) : [];
  const iteration = iterations.find((one) => one === selection.iteration) ?? null;
  const plan = run ? choosePlan(session, run.id, iteration) : null;
  const instances = run ? instancesOf(session, run) : [];
  return {
    run,
    runs,
    number: run ? session.runs_before + runs.indexOf(run) + 1 : 0,
    iteration: plan?.recorded ? iteration : (plan?.iteration ?? iteration),
    iterations,
    plan,
    instances,
    instance: instances.find((one) => one === selection.instance) ?? instances[0] ?? "",
  };
}

/** Top-level runs, oldest first. A run whose parent the view left out counts as one. */
export function topLevelRuns(session: Session): Run[] {
  return [...session.runs.values()].filter(
    ({ parent_run_id }) => parent_run_id === null || !session.runs.has(parent_run_id),
  );
}

/** The top-level run of a run; null for an unknown run. */
export function rootRun(session: Pick<Session, "runs">, runId: string): Run | null {
  const seen = new Set<Run>();
  let run = session.runs.get(runId) ?? null;
  // External logs may contain cycles of parents.
  while (run?.parent_run_id && !seen.has(run)) {
    seen.add(run);
    const parent = session.runs.get(run.parent_run_id);
    if (!parent) return run;
    run = parent;
  }
  return run;
}

/** The calls of a run for an instance: its own, and those without an instance. */
export function callsOf(session: Session, run: Run | null, instance: string): Call[] {
  if (!run) return [];
  return [...session.calls.values()].filter((call) => (call.run_id ?? "") === run.id && isInInstance(call, instance));
}

/** The instance of a call: its own, or that of the call that its run executes; "" for none. */
export function instanceOf(session: Session, { instance, run_id }: Pick<Call, "instance" | "run_id">): string {
  let found = instance;
  let run = session.runs.get(run_id ?? "");
  // External logs may contain cycles of parents.
  for (let depth = 0; found === "" && run && depth < session.runs.size; depth++) {
    found = run.parent_instance;
    run = session.runs.get(run.parent_run_id ?? "");
  }
  return found;
}

/** Whether an instance includes this call. */
export function isInInstance(call: Pick<Call, "instance">, instance: string): boolean {
  return call.instance === "" || instance === "" || call.instance === instance;
}

function newestWithPlan(session: Session, runs: readonly Run[]): Run | null {
  const shown = choosePlan(session, null, null)?.run_id;
  return runs.find(({ id }) => id === shown) ?? runs.at(-1) ?? null;
}

function iterationsOf(session: Session, run: Run): number[] {
  const found = new Set<number>();
  for (const plan of session.plans.values()) if (plan.run_id === run.id) found.add(plan.iteration);
  for (const call of session.calls.values()) if ((call.run_id ?? "") === run.id) found.add(call.iteration);
  return [...found].sort((a, b) => a - b);
}

// comment-4 sorts before comment-30; a fixed locale gives all readers the same order.
const BY_NAME = new Intl.Collator("en", { numeric: true });

function instancesOf(session: Session, run: Run): string[] {
  const found = new Set(Object.keys(run.state));
  for (const call of session.calls.values()) if ((call.run_id ?? "") === run.id) found.add(call.instance);
  found.delete("");
  return [...found].sort(BY_NAME.compare);
}
