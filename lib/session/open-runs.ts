import type { SessionEvent } from "./event.ts";
import type { Summary } from "./session.ts";

/** Whether a run goes on, as far as the conversation's row knows. */
export function isOpen(summary: Summary, runId: string | null): boolean {
  return runId !== null && Object.hasOwn(summary.open_runs, runId);
}

/**
 * As many open runs and confirmations are kept of programs: each event of theirs copies them, which took 1.2 ms at up to 6,800 runs
 * that nobody had ended. What this server's engine has open is bounded by the engine, and taken up by what stands here.
 */
const MOST_OPEN = { runs: 200, awaiting: 1_000 } as const;

/** Whether one more may be kept as open. */
export function hasRoom(
  { recorded_by }: Pick<SessionEvent, "recorded_by">,
  open: number,
  of: keyof typeof MOST_OPEN,
): boolean {
  return open < MOST_OPEN[of] || recorded_by === "engine";
}

/** The open runs, with the event's run among them. */
export function withRun(
  summary: Summary,
  event: Pick<SessionEvent, "run_id" | "recorded_by">,
  status: Summary["open_runs"][string],
): Summary["open_runs"] {
  const { open_runs } = summary;
  const isKept = isOpen(summary, event.run_id) || hasRoom(event, Object.keys(open_runs).length, "runs");
  return event.run_id === null || !isKept ? open_runs : { ...open_runs, [event.run_id]: status };
}

/** The open runs without this one. */
export function withoutRun(summary: Summary, runId: string | null): Summary["open_runs"] {
  if (runId === null || !Object.hasOwn(summary.open_runs, runId)) return summary.open_runs;
  const { [runId]: _ended, ...rest } = summary.open_runs;
  return rest;
}
