import type { SessionEvent } from "./event.ts";
import type { Summary } from "./session.ts";

/** Whether a run is open according to the conversation's row. */
export function isOpen(summary: Summary, runId: string | null): boolean {
  return runId !== null && Object.hasOwn(summary.open_runs, runId);
}

/**
 * The maximum number of open runs and confirmations kept of programs: each of their events copies these lists, which
 * took 1.2 ms with 6,800 open runs. Those of this server's engine are limited by the engine.
 */
const MOST_OPEN = { runs: 200, awaiting: 1_000 } as const;

/** Whether another one may be kept as open. */
export function hasRoom(
  { recorded_by }: Pick<SessionEvent, "recorded_by">,
  open: number,
  of: keyof typeof MOST_OPEN,
): boolean {
  return open < MOST_OPEN[of] || recorded_by === "engine";
}

/** The open runs, including the event's run. */
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
