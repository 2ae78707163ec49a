import { resolveSelection, rootRun } from "@/components/selection/resolve-selection.ts";
import { findCall } from "@/components/selection/select-call.ts";
import type { Selection } from "@/components/selection/use-selection.ts";
import { childRunOf } from "@/lib/session/runs/child-run.ts";
import type { Call, Session } from "@/lib/session/session.ts";
import type { TimelineRow, TimelineRows } from "@/lib/session/timeline/timeline.ts";

/** Whether a step that rendered a prompt is included. */
type Scope = (row: TimelineRow) => boolean;

/** The shown request, and its position. */
export interface ShownRequest {
  row: TimelineRow;
  /** Its position among the requests of its run, from 1. */
  number: number;
  count: number;
  /** The steps of the previous and next included request. */
  previous: number | null;
  next: number | null;
  /** The request that it is compared with: the previous one of the same owner. */
  compared: TimelineRow | null;
  /** The last step with details of it, else its own step. */
  until: number;
}

/** What is shown at a step. */
export type Requests =
  | { kind: "shown"; request: ShownRequest }
  /** None yet; `next` is the first one. */
  | { kind: "none"; of: "session" | "selection"; next: number | null };

/** Later events do not belong to the prompt. */
const COMPANIONS_WITHIN = 20;

/** The rows of prompts, oldest first. */
export function promptRows(timeline: TimelineRows): TimelineRow[] {
  return timeline.filter(({ type }) => type === "prompt.rendered");
}

/**
 * The newest request at or before the current step. With a selection, it is one of the call or run: for the call's own
 * result, else of its delegate's run, else of the run that made it.
 */
export function requestsAt(
  session: Session,
  timeline: TimelineRows,
  prompts: readonly TimelineRow[],
  selection: Selection,
): Requests {
  const scope = scopeOf(session, prompts, selection);
  const inScope = scope ? prompts.filter(scope) : prompts;
  const index = inScope.findLastIndex(({ seq }) => seq <= session.at);
  const row = inScope[index];
  if (!row) return { kind: "none", of: scope ? "selection" : "session", next: inScope[0]?.seq ?? null };
  const ofRun = prompts.filter(({ run }) => run === row.run);
  const request = {
    row,
    number: ofRun.indexOf(row) + 1,
    count: ofRun.length,
    previous: inScope[index - 1]?.seq ?? null,
    next: inScope[index + 1]?.seq ?? null,
    compared: comparedWith(session, prompts, row),
    until: companionsEnd(timeline, row),
  };
  return { kind: "shown", request };
}

/** Null when nothing that exists at this step is selected. */
function scopeOf(session: Session, prompts: readonly TimelineRow[], selection: Selection): Scope | null {
  const call = findCall(session, resolveSelection(session, selection), selection.call);
  if (call) return scopeOfCall(session, prompts, call);
  if (selection.run === null || !session.runs.has(selection.run)) return null;
  return ({ run }) => run === selection.run || rootRun(session, run ?? "")?.id === selection.run;
}

function scopeOfCall(session: Session, prompts: readonly TimelineRow[], call: Call): Scope {
  const child = childRunOf(session, call);
  const scopes: Scope[] = [
    (row) => isOf(row, call),
    ({ run }) => child !== null && run === child.id,
    ({ run }) => run === call.run_id,
  ];
  return scopes.find((scope) => prompts.some(scope)) ?? scopes[2] ?? (() => false);
}

/** The request is for the call's own result. */
function isOf({ run, call: asked }: TimelineRow, call: Call): boolean {
  return (
    asked !== null &&
    run === call.run_id &&
    asked.id === call.id &&
    asked.instance === call.instance &&
    asked.iteration === call.iteration
  );
}

function comparedWith(session: Session, prompts: readonly TimelineRow[], row: TimelineRow): TimelineRow | null {
  const earlier = prompts.slice(0, prompts.indexOf(row)).filter(({ call }) => call?.id === row.call?.id);
  const ofRun = earlier.findLast(({ run }) => run === row.run);
  if (ofRun) return ofRun;
  const asker = askerOf(session, row);
  return asker === null ? null : (earlier.findLast((other) => askerOf(session, other) === asker) ?? null);
}

/** The owner of a request; prompts of different owners are not compared. */
function askerOf(session: Session, { run: id }: TimelineRow): string | null {
  const run = session.runs.get(id ?? "");
  return run?.delegate ?? run?.agent_id ?? null;
}

function companionsEnd(timeline: TimelineRows, prompt: TimelineRow): number {
  let until = prompt.seq;
  const next = timeline.indexOf(prompt) + 1;
  for (const { seq, run, type } of timeline.slice(next, next + COMPANIONS_WITHIN)) {
    if (run !== prompt.run) continue;
    if (type === "history.truncated" || type === "placeholder.missing") until = seq;
    else if (type === "prompt.rendered" || type === "model.requested") break;
  }
  return until;
}
