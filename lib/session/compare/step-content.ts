import { parsePath } from "../../plan/output-path.ts";
import { valueAt } from "../../plan/reference.ts";
import { isSameJson, type Json } from "../json/json.ts";
import type { Run } from "../session.ts";
import type { TimelineRow } from "../timeline/timeline.ts";
import { type Compared, comparable } from "./sides.ts";

/**
 * The content of steps, as far as the view at the session's end has it: a message's text, a plan's calls, a call's
 * parameters and result, a written value that was not overwritten.
 */
export function contentOf(session: Compared, rows: readonly TimelineRow[]): Map<number, Json> {
  const brought = new Map<number, Json>();
  for (const { seq, role, content } of session.messages)
    brought.set(seq, [role, typeof content === "string" ? content : content.bytes]);
  for (const { started_seq, ended_seq, params, output, error } of session.calls.values()) {
    if (started_seq !== null) brought.set(started_seq, comparable(params) ?? null);
    if (ended_seq !== null) brought.set(ended_seq, [comparable(output) ?? null, error && { ...error }]);
  }
  for (const run of session.runs.values()) addWritten(brought, run);
  addPlans(brought, session, rows);
  return brought;
}

/** Whether two equal steps are known to have different content. */
export function isOther(a: Json | undefined, b: Json | undefined): boolean {
  return a !== undefined && b !== undefined && !isSameJson(a, b);
}

function addWritten(brought: Map<number, Json>, { writes, state }: Run): void {
  for (const { seq, path, instance } of writes) {
    const target = parsePath(path);
    const value = target.ok ? valueAt(state[instance] ?? null, target.value.path) : undefined;
    brought.set(seq, [path, instance, comparable(value) ?? null]);
  }
}

/** The newest proposal of a run is its newest plan, and so on backwards: older ones may be missing. */
function addPlans(brought: Map<number, Json>, { plans }: Compared, rows: readonly TimelineRow[]): void {
  const plansOf = Map.groupBy(plans.values(), ({ run_id }) => run_id);
  for (const row of rows.toReversed()) {
    if (row.type !== "plan.proposed") continue;
    const plan = plansOf.get(row.run ?? "")?.pop();
    if (plan) brought.set(row.seq, comparable(plan.calls) ?? null);
  }
}
