import { isForPlanned } from "@/components/format/known-reason.ts";
import { type ResolvedSelection, topLevelRuns } from "@/components/selection/resolve-selection.ts";
import type { PlanCall } from "@/lib/plan/call.ts";
import { parsePath } from "@/lib/plan/output-path.ts";
import { overlaps } from "@/lib/plan/overlap.ts";
import { type Path, parseReference, printPath, printReference, type Reference, valueAt } from "@/lib/plan/reference.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { callKey } from "@/lib/session/keys.ts";
import { readPlan } from "@/lib/session/runs/planned-calls.ts";
import type { Call, CallStatus, Run, Session, Write } from "@/lib/session/session.ts";

/** The writer of a path, and the step. */
export interface Writer {
  write: Write;
  /** Null when no call is named, or the view has left it out. */
  call: Call | null;
}

/** A reader of a path, with the path that it reads. */
export interface Reader {
  id: string;
  tool: string;
  /** Null when the call does not exist yet. */
  call: Call | null;
  /** `†state.deal`, if it reads more or less than the path itself; else null. */
  as: string | null;
}

/**
 * Why a path of the plan has no value. `other_branch`: its writer took another alternative. `planned_only`: its writer
 * is not executed.
 */
export type Absence = Exclude<CallStatus, "succeeded"> | "other_branch" | "interrupted" | "planned_only";

/** A path of the plan without a value. */
export interface AbsentPath {
  path: Path;
  id: string;
  tool: string;
  why: Absence;
}

/** The newest write of each path of a run's instance, by printed path; "" for the whole state. */
export function writersOf(session: Session, run: Run, instance: string): Map<string, Writer> {
  const writers = new Map<string, Writer>();
  for (const write of run.writes) {
    if (write.instance !== instance) continue;
    const id = idOf(write);
    if (id !== null) writers.set(id, { write, call: writingCall(session, run, write) });
  }
  return writers;
}

// Write objects are stable, so each path is parsed once.
const ids = new WeakMap<Write, string | null>();

/** The written path as in rows; null when it is invalid. */
function idOf(write: Write): string | null {
  const known = ids.get(write);
  if (known !== undefined) return known;
  const target = parsePath(write.path);
  const id = target.ok ? printPath(target.value.path) : null;
  ids.set(write, id);
  return id;
}

/** The writer of the value at a path: of the path itself, else of the nearest path above it. */
export function writerAt(writers: ReadonlyMap<string, Writer>, path: Path): Writer | null {
  for (let length = path.length; length >= 0; length--) {
    const writer = writers.get(printPath(path.slice(0, length)));
    if (writer) return writer;
  }
  return null;
}

/** The calls of the current plan that read a path, or one above or below it. */
export function readersOf(session: Session, looked: ResolvedSelection, reference: Reference): Reader[] {
  const own = printReference(reference);
  return plannedCalls(looked).flatMap((planned) => {
    const read = planned.reads
      .flatMap(({ expression }) => expression.flat())
      .find((candidate) => overlaps(candidate, reference));
    if (!read) return [];
    const text = printReference(read);
    return [
      { id: planned.id, tool: planned.tool, call: callFor(session, looked, planned), as: text === own ? null : text },
    ];
  });
}

/** Paths that the current plan writes and that have no value, with their writers or the reason. */
export function absentPaths(session: Session, looked: ResolvedSelection, state: Json): AbsentPath[] {
  const absent = new Map<string, AbsentPath>();
  for (const planned of plannedCalls(looked)) {
    const call = callFor(session, looked, planned);
    const alternatives = planned.output ?? [];
    for (const [alternative, targets] of alternatives.entries()) {
      const why = absenceOf(call, alternative, alternatives.length);
      for (const { path } of targets) {
        const id = printPath(path);
        const known = absent.get(id);
        if (path.length === 0 || valueAt(state, path) !== undefined) continue;
        if (!known || RANK[why] < RANK[known.why]) absent.set(id, { path, id, tool: planned.tool, why });
      }
    }
  }
  return [...absent.values()].sort((a, b) => RANK[a.why] - RANK[b.why]);
}

/** The value at a path in the newest earlier run that has one. */
export function earlierValue(
  session: Session,
  looked: ResolvedSelection,
  path: Path,
): { value: Json; number: number } | null {
  const runs = topLevelRuns(session);
  const before = looked.run ? runs.slice(0, runs.indexOf(looked.run)) : [];
  for (const [index, run] of [...before.entries()].reverse()) {
    const value = valueAt(run.state[looked.instance] ?? run.state[""] ?? null, path);
    if (value !== undefined) return { value, number: session.runs_before + index + 1 };
  }
  return null;
}

/** Parses a path from the address; null when it is invalid. */
export function parseSelectedPath(text: string | null): Reference | null {
  const reference = text === null ? null : parseReference(text);
  return reference?.ok ? reference.value : null;
}

// Of several possible writers, the one closest to writing determines the reason.
const RANK: Record<Absence, number> = {
  running: 0,
  interrupted: 1,
  parked: 1,
  planned: 2,
  failed: 3,
  blocked: 4,
  denied: 5,
  cancelled: 6,
  superseded: 7,
  planned_only: 8,
  other_branch: 9,
  skipped: 10,
};

function absenceOf(call: Call | null, alternative: number, alternatives: number): Absence {
  if (!call) return "planned";
  if (call.status === "parked" && call.reason === "interrupted") return "interrupted";
  if ((call.status === "skipped" && call.planned) || isForPlanned(call)) return "planned_only";
  const handled = call.status === "failed" && call.handled;
  if (call.status !== "succeeded" && !handled) return call.status;
  // A call ends one step before its result or error is written to the state.
  const taken = call.branch ?? (handled ? alternatives - 1 : 0);
  return alternative === taken ? "running" : "other_branch";
}

function plannedCalls({ plan }: ResolvedSelection): PlanCall[] {
  return plan && !plan.recorded ? readPlan(plan) : [];
}

function callFor(session: Session, { run, plan, instance }: ResolvedSelection, planned: PlanCall): Call | null {
  if (!run || !plan) return null;
  const runId = run.id === "" ? null : run.id;
  return (
    session.calls.get(callKey(runId, plan.iteration, instance, planned.id)) ??
    session.calls.get(callKey(runId, plan.iteration, "", planned.id)) ??
    null
  );
}

function writingCall(session: Session, run: Run, { call_id, iteration, instance }: Write): Call | null {
  if (call_id === null) return null;
  const runId = run.id === "" ? null : run.id;
  return (
    session.calls.get(callKey(runId, iteration, instance, call_id)) ??
    session.calls.get(callKey(runId, iteration, "", call_id)) ??
    null
  );
}
