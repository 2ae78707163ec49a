import type { SessionEvent } from "../event.ts";
import type { Payload } from "../events/catalogue.ts";
import type { Summary } from "../session.ts";

/** Whether a run is open according to the conversation's row. */
export function isOpen(summary: Summary, runId: string | null): boolean {
  return runId !== null && Object.hasOwn(summary.open_runs, runId);
}

/**
 * The maximum number of open runs, calls and confirmations kept of programs: each of their events copies these lists, which
 * took 1.2 ms with 6,800 open runs. Those of this server's engine are limited by the engine.
 */
const MOST_OPEN = { runs: 200, calls: 200, awaiting: 1_000 } as const;

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

/**
 * The open calls after a call was started or has ended. A call of an open run is open with it; others are kept, so that
 * a conversation whose agent records calls alone is running while one of them is.
 */
export function withCall(
  summary: Summary,
  event: Pick<SessionEvent, "run_id" | "recorded_by"> & { payload: Payload<"call.started"> },
  isRunning: boolean,
): Summary["open_calls"] {
  const { open_calls = {} } = summary;
  const run = event.run_id ?? "";
  const { iteration = "", instance = "", call_id } = event.payload;
  const call = [iteration, instance, call_id].join(" ");
  const known = Object.hasOwn(open_calls, run) ? (open_calls[run] ?? []) : [];
  if (isRunning === known.includes(call)) return open_calls;
  if (!isRunning)
    return withCalls(
      open_calls,
      run,
      known.filter((one) => one !== call),
    );
  const open = Object.values(open_calls).reduce((sum, { length }) => sum + length, 0);
  if (isOpen(summary, event.run_id) || !hasRoom(event, open, "calls")) return open_calls;
  return withCalls(open_calls, run, [...known, call]);
}

/** The open calls without those of a run. */
export function withoutCalls({ open_calls = {} }: Summary, runId: string | null): Summary["open_calls"] {
  return Object.hasOwn(open_calls, runId ?? "") ? withCalls(open_calls, runId ?? "", []) : open_calls;
}

function withCalls(open: Record<string, string[]>, run: string, calls: string[]): Record<string, string[]> {
  const { [run]: _before, ...rest } = open;
  return calls.length === 0 ? rest : { ...rest, [run]: calls };
}
