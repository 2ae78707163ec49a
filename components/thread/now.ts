import { actorName } from "@/components/agents/actor-name.ts";
import { askedFor } from "@/components/format/asked-for.ts";
import { callsOf, topLevelRuns } from "@/components/selection/resolve-selection.ts";
import { childRunOf } from "@/lib/session/runs/child-run.ts";
import { FORKED, SHADOW } from "@/lib/session/runs/run-reasons.ts";
import type { Call, DecidedStatus, Run, Session } from "@/lib/session/session.ts";
import { shownStatusOf, statusOf } from "@/lib/session/summary/summary.ts";
import { isOfUnreadSpans } from "@/lib/session/summary/unread-spans.ts";

/** A status line above the thread. */
export type NowLine =
  | { kind: "escalated"; text: string | null }
  | { kind: "takenOver"; by: string | null }
  | { kind: "waits"; what: string; more: number }
  | { kind: "noAnswer" }
  | { kind: "unanswered"; decision: DecidedStatus; what: string; more: number }
  | { kind: "running"; what: string; more: number; progress: { done: number; total: number } | null }
  | { kind: "queued"; count: number }
  | { kind: "failed"; what: string; reason: string | null; more: number }
  | { kind: "replanned"; what: string; reason: string | null; more: number }
  | { kind: "denied"; what: string; reason: string | null; more: number }
  | { kind: "cancelled"; reason: string | null }
  | { kind: "shadow" }
  | { kind: "simulated"; done: number; total: number; planned: number }
  | { kind: "done"; done: number; total: number; retried: number; skipped: number }
  | { kind: "answered" }
  | { kind: "notRun" }
  | { kind: "unread" }
  | { kind: "nothing" };

/** Computes the lines from the session; none of the text is a model's. */
export function nowLines(session: Session, instance: string): NowLine[] {
  const runs = topLevelRuns(session);
  // A queued run has nothing to show; the run before it has.
  const run = runs.findLast(({ status }) => status !== "queued") ?? null;
  const calls = callsOf(session, run, instance);
  const lines = [
    escalated(session),
    waits(session),
    unanswered(session),
    stillness(session),
    running(session, run, calls),
    queued(runs),
    failed(run, calls),
    denied(calls),
    ended(run),
    done(run, calls),
  ].filter((line) => line !== null);
  if (lines.length > 0) return lines;
  if (isOfUnreadSpans(session)) return [{ kind: "unread" }];
  return [{ kind: run ? "answered" : "nothing" }];
}

/** The newest message, or the fork, has no run yet: as in the header and the list. */
function stillness({ summary }: Session): NowLine | null {
  const status = shownStatusOf(summary);
  if (status === "no_answer") return { kind: "noAnswer" };
  return status === "not_run" ? { kind: "notRun" } : null;
}

function escalated(session: Session): NowLine | null {
  const { taken_over } = session.summary;
  if (taken_over) return { kind: "takenOver", by: actorName(taken_over.by) };
  if (statusOf(session.summary) !== "escalated") return null;
  return { kind: "escalated", text: session.alerts.at(-1)?.text ?? null };
}

function waits(session: Session): NowLine | null {
  const open = [...session.confirmations.values()].filter(({ status }) => status === "requested");
  const [first] = open;
  if (!first) return null;
  return { kind: "waits", what: askedFor(first), more: open.length - 1 };
}

/** A decision after which the agent has not continued yet. */
function unanswered({ summary, confirmations }: Session): NowLine | null {
  const last = summary.unanswered.at(-1);
  const confirmation = confirmations.get(last?.confirmation_id ?? "");
  if (!last || !confirmation) return null;
  const more = summary.unanswered.length - 1;
  return { kind: "unanswered", decision: last.decision, what: askedFor(confirmation), more };
}

function running(session: Session, run: Run | null, calls: readonly Call[]): NowLine | null {
  // The agent is not thinking while another instance's call runs.
  const active =
    [calls, callsOf(session, run, "")]
      .map((some) => some.filter(({ status }) => status === "running"))
      .find((some) => some.length > 0) ?? [];
  const [first] = active;
  if (first)
    return { kind: "running", what: first.tool, more: active.length - 1, progress: progressOf(session, first) };
  const isAwaited = session.summary.unanswered.some(({ run_id }) => run_id === run?.id);
  return run?.status === "running" && !isAwaited ? { kind: "running", what: "", more: 0, progress: null } : null;
}

function queued(runs: readonly Run[]): NowLine | null {
  const count = runs.filter(({ status }) => status === "queued").length;
  return count === 0 ? null : { kind: "queued", count };
}

/** A delegate's progress: ended calls of known calls. */
function progressOf(session: Session, call: Call): { done: number; total: number } | null {
  const child = childRunOf(session, call);
  const own = child ? [...session.calls.values()].filter(({ run_id }) => run_id === child.id) : [];
  if (own.length === 0) return null;
  return { done: own.filter(({ ended_seq }) => ended_seq !== null).length, total: own.length };
}

function failed(run: Run | null, calls: readonly Call[]): NowLine | null {
  const broken = calls.filter(({ status, handled }) => (status === "failed" && !handled) || status === "blocked");
  // A newer plan replaced a failed one (P19); only unless the run failed.
  const latest = Math.max(0, ...calls.map(({ iteration }) => iteration));
  const current = run?.status === "failed" ? broken : broken.filter(({ iteration }) => iteration === latest);
  const shown = current.length > 0 ? current : broken;
  // A call blocked by a failed one is not a failure itself.
  const failures = shown.filter(({ status }) => status === "failed");
  const first = failures[0] ?? shown[0];
  if (first)
    return {
      kind: current.length > 0 ? "failed" : "replanned",
      what: first.tool,
      reason: first.error?.message ?? first.reason,
      more: Math.max(failures.length, 1) - 1,
    };
  if (run?.status !== "failed") return null;
  const reason = typeof run.error === "string" ? run.error : (run.error?.message ?? run.reason);
  return { kind: "failed", what: "", reason, more: 0 };
}

function denied(calls: readonly Call[]): NowLine | null {
  const refused = calls.filter(({ status }) => status === "denied");
  const [first] = refused;
  return first ? { kind: "denied", what: first.tool, reason: first.reason, more: refused.length - 1 } : null;
}

/** A run that ended early (P22, P24). One closed by a fork continues there (E9). */
function ended(run: Run | null): NowLine | null {
  if (run?.status === "cancelled" && run.reason !== FORKED) return { kind: "cancelled", reason: run.reason };
  return run?.status === "finished" && run.reason === SHADOW ? { kind: "shadow" } : null;
}

function done(run: Run | null, calls: readonly Call[]): NowLine | null {
  if (calls.length === 0 || run?.reason === SHADOW) return null;
  const succeeded = calls.filter(({ status }) => status === "succeeded");
  if (run?.simulated) {
    const planned = calls.filter((call) => call.planned).length;
    return { kind: "simulated", done: succeeded.length, total: calls.length, planned };
  }
  const retried = succeeded.filter(({ tries }) => tries.length > 0).length;
  const skipped = calls.filter(({ status }) => status === "skipped").length;
  return { kind: "done", done: succeeded.length, total: calls.length, retried, skipped };
}
