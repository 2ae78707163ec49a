import { callsOf, topLevelRuns } from "@/components/studio/looked-at.ts";
import { childRunOf } from "@/lib/session/child-run.ts";
import type { Call, Run, Session } from "@/lib/session/session.ts";
import { statusOf } from "@/lib/session/summary.ts";

/** One of the lines over the thread that answer "what is going on" before anything is read. */
export type NowLine =
  | { kind: "escalated"; text: string | null }
  | { kind: "waits"; what: string; more: number }
  | { kind: "running"; what: string; more: number; progress: { done: number; total: number } | null }
  | { kind: "failed"; what: string; reason: string | null; more: number }
  | { kind: "done"; done: number; total: number; retried: number }
  | { kind: "answered" }
  | { kind: "nothing" };

/** Counts the lines from the session as it stood; nothing in them is written by a model. */
export function nowLines(session: Session, instance: string): NowLine[] {
  const run = topLevelRuns(session).at(-1) ?? null;
  const calls = callsOf(session, run, instance);
  const lines = [
    escalated(session),
    waits(session),
    running(session, run, calls),
    failed(run, calls),
    done(calls),
  ].filter((line) => line !== null);
  if (lines.length > 0) return lines;
  return [{ kind: run ? "answered" : "nothing" }];
}

function escalated(session: Session): NowLine | null {
  if (statusOf(session.summary) !== "escalated") return null;
  return { kind: "escalated", text: session.alerts.at(-1)?.text ?? null };
}

function waits(session: Session): NowLine | null {
  const open = [...session.confirmations.values()].filter(({ status }) => status === "requested");
  const [first] = open;
  if (!first) return null;
  return { kind: "waits", what: first.description ?? first.action?.method ?? first.key, more: open.length - 1 };
}

function running(session: Session, run: Run | null, calls: readonly Call[]): NowLine | null {
  const active = calls.filter(({ status }) => status === "running");
  const [first] = active;
  if (first)
    return { kind: "running", what: first.tool, more: active.length - 1, progress: progressOf(session, first) };
  return run?.status === "running" ? { kind: "running", what: "", more: 0, progress: null } : null;
}

/** How far the delegate is that carries out a call: calls ended of calls known. */
function progressOf(session: Session, call: Call): { done: number; total: number } | null {
  const child = childRunOf(session, call);
  const own = child ? [...session.calls.values()].filter(({ run_id }) => run_id === child.id) : [];
  if (own.length === 0) return null;
  return { done: own.filter(({ ended_seq }) => ended_seq !== null).length, total: own.length };
}

function failed(run: Run | null, calls: readonly Call[]): NowLine | null {
  const broken = calls.filter(({ status, handled }) => (status === "failed" && !handled) || status === "blocked");
  const [first] = broken;
  if (first)
    return {
      kind: "failed",
      what: first.tool,
      reason: first.error?.message ?? first.reason,
      more: broken.length - 1,
    };
  if (run?.status !== "failed") return null;
  const reason = typeof run.error === "string" ? run.error : (run.error?.message ?? run.reason);
  return { kind: "failed", what: "", reason, more: 0 };
}

function done(calls: readonly Call[]): NowLine | null {
  if (calls.length === 0) return null;
  const succeeded = calls.filter(({ status }) => status === "succeeded");
  const retried = succeeded.filter(({ tries }) => tries.length > 0).length;
  return { kind: "done", done: succeeded.length, total: calls.length, retried };
}
