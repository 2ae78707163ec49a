import type { EventOf } from "../../event.ts";
import { cite } from "../../json/cite.ts";
import type { Json } from "../../json/json.ts";
import { callKey } from "../../keys.ts";
import type { Folding } from "../../reducer/folding.ts";
import { withCall } from "../../runs/open-runs.ts";
import type { DecidedStatus, Failure, Summary } from "../../session.ts";
import { callColumns, type EventDefinition, type Family, PLACE, RECORDED } from "./family.ts";
import { meetInstance, plannedCall } from "./plan.ts";

/** The status of a call (P21). */
export type CallStatus =
  | "planned"
  | "running"
  | "parked"
  | "succeeded"
  | "failed"
  | "skipped"
  | "blocked"
  | "denied"
  | "superseded"
  | "cancelled";

/** The progress of a running call. */
interface CallProgress {
  seq: number;
  /** 0 to 1; null if unknown. It never decreases within an attempt. */
  part: number | null;
  message: string | null;
}

/** A failed attempt. */
interface Try {
  seq: number;
  at: string | null;
  attempt: number;
  error: Failure | null;
  reason: string | null;
  delay_ms: number | null;
}

/** A call, identified by run, iteration, instance and id (P19b). */
export interface Call {
  id: string;
  run_id: string | null;
  iteration: number;
  instance: string;
  tool: string;
  status: CallStatus;
  /** The parameters with references resolved, once started; a delegate's or a large value may be a `Ref`. */
  params: Json | null;
  output: Json | null;
  error: Failure | null;
  /** The failure was handled by an error alternative (P10). */
  handled: boolean;
  reason: string | null;
  /** It was not executed, and stays planned in its user's memory (M13). */
  planned: boolean;
  /** In a fork: where its result was recorded; null if it was executed. */
  recorded: { conversation_id: string; seq: number } | null;
  /** The alternative of its output path that it took. */
  branch: number | null;
  /** Of a call without a plan, as recorded by its agent: the state path of its output, and the paths it reads. */
  output_path: string | null;
  reads: string[];
  tries: Try[];
  /** The progress of the current attempt as reported by its tool; null or missing if there is none. */
  progress?: CallProgress | null;
  started_seq: number | null;
  started_at: string | null;
  ended_seq: number | null;
  ended_at: string | null;
  parked_seq: number | null;
  parked_at: string | null;
  confirmation_id: string | null;
  /** Of a parked call: the decision, if its agent has not responded yet. */
  decision: DecidedStatus | null;
}

type CallType =
  | "call.started"
  | "call.succeeded"
  | "call.failed"
  | "call.retried"
  | "call.skipped"
  | "call.blocked"
  | "call.parked"
  | "call.denied"
  | "call.superseded"
  | "call.cancelled";
type CallEvent = EventOf<CallType>;

/** The common parts of call events. */
const CALL = {
  ...RECORDED,
  stop: "call",
  steers: true,
  authority: "ingest",
  structure: {
    ...PLACE,
    tool: "kept",
    error: "failure",
    handled: "kept",
    attempt: "kept",
    delay_ms: "kept",
    branch: "kept",
    confirmation_id: "id",
    planned: "kept",
    recorded: { of: { conversation_id: "id", seq: "kept" } },
    closing: { of: { error: "failure", escalated: "kept" } },
  },
  columns: (payload: CallEvent["payload"]) => ({ ...callColumns(payload), tool: payload.tool }),
} as const satisfies Partial<EventDefinition<CallType>>;

/** The events of a call's lifecycle (P21). */
export const CALL_EVENTS = {
  "call.started": {
    ...CALL,
    fold: onCall(startCall),
    summarize(summary, event) {
      summary.call_count += (event.payload.attempt ?? 1) > 1 ? 0 : 1;
      summary.open_calls = withCall(summary, event, true);
    },
  },
  "call.retried": { ...CALL, fold: onCall(retryCall) },
  "call.parked": { ...CALL, fold: onCall(parkCall), summarize: closeCall },
  "call.succeeded": { ...CALL, fold: onCall(endsAs("succeeded")), summarize: closeCall },
  "call.failed": {
    ...CALL,
    columns: (payload) => ({ ...CALL.columns(payload), error: payload.handled !== true }),
    fold: onCall(endsAs("failed")),
    summarize: closeCall,
  },
  "call.progressed": {
    ...CALL,
    stop: null,
    steers: false,
    structure: { ...PLACE, tool: "kept", attempt: "kept", progress: "kept" },
    // A message that the next one replaces.
    unsearched: "all",
    fold: progressCall,
    causes: false,
  },
  "call.skipped": { ...CALL, fold: onCall(endsAs("skipped")), summarize: closeCall },
  "call.blocked": { ...CALL, fold: onCall(endsAs("blocked")), summarize: closeCall },
  "call.denied": { ...CALL, fold: onCall(endsAs("denied")), summarize: closeCall },
  "call.superseded": { ...CALL, fold: onCall(endsAs("superseded")), summarize: closeCall },
  "call.cancelled": { ...CALL, fold: onCall(endsAs("cancelled")), summarize: closeCall },
} as const satisfies Family<CallType | "call.progressed">;

/** It does not run: it has ended, or waits for people. */
function closeCall(summary: Summary, event: CallEvent): void {
  summary.open_calls = withCall(summary, event, false);
}

type Change = (call: Call, event: CallEvent, folding: Folding) => void;

/** Changes the event's call; any decision on it has been acted on. */
function onCall(change: Change): (folding: Folding, event: CallEvent) => void {
  return (folding, event) => {
    const call = callOf(folding, event);
    call.decision = null;
    change(call, event, folding);
  };
}

function callOf(folding: Folding, event: CallEvent): Call {
  const run = folding.runOf(event);
  const { call_id, tool, instance = "", iteration = run.iteration } = event.payload;
  meetInstance(folding, event, run, instance);
  const key = callKey(event.run_id, iteration, instance, call_id);
  return (
    folding.call(key) ?? folding.addCall(plannedCall(event.run_id, iteration, instance, { _id: call_id, _tool: tool }))
  );
}

function startCall(call: Call, event: CallEvent): void {
  call.status = "running";
  call.tool = event.payload.tool;
  // A retry belongs to the same execution, so the duration counts from the first attempt.
  if (call.started_seq === null || call.ended_seq !== null) {
    call.started_seq = event.seq;
    call.started_at = event.occurred_at;
  }
  openAgain(call);
  call.output_path = event.payload.output_path ?? call.output_path;
  call.reads = event.payload.reads ?? call.reads;
  setParams(call, event);
}

function parkCall(call: Call, event: CallEvent): void {
  openAgain(call);
  call.status = "parked";
  call.parked_seq = event.seq;
  call.parked_at = event.occurred_at;
  call.confirmation_id = event.payload.confirmation_id ?? call.confirmation_id;
  call.reason = event.payload.reason ?? null;
  setParams(call, event);
}

/** A call is running or will run: it has not ended, whatever was recorded before. */
export function openAgain(call: Call): void {
  forgetProgress(call);
  call.ended_seq = null;
  call.ended_at = null;
  call.error = null;
  call.handled = false;
  call.reason = null;
  call.planned = false;
  call.recorded = null;
}

/** Progress of a call that is not running arrived out of order, and is ignored. */
function progressCall(folding: Folding, event: EventOf<"call.progressed">): void {
  const run = folding.runOf(event);
  const { call_id, instance = "", iteration = run.iteration, progress, message } = event.payload;
  const call = folding.call(callKey(event.run_id, iteration, instance, call_id));
  if (call?.status !== "running") return;
  const before = call.progress?.part ?? null;
  const part = progress === undefined || (before !== null && before > progress) ? before : progress;
  call.progress = { seq: event.seq, part, message: message ?? call.progress?.message ?? null };
}

function forgetProgress(call: Call): void {
  if (call.progress) call.progress = null;
}

function retryCall(call: Call, event: CallEvent): void {
  forgetProgress(call);
  const { attempt, error, reason, delay_ms } = event.payload;
  call.tries = [
    ...call.tries,
    {
      seq: event.seq,
      at: event.occurred_at,
      attempt: attempt ?? call.tries.length + 1,
      error: error ?? null,
      reason: reason ?? null,
      delay_ms: delay_ms ?? null,
    },
  ];
}

function endsAs(status: CallStatus): Change {
  return (call, event, folding) => {
    const { call_id, output, error, handled, reason, planned, recorded, branch } = event.payload;
    if (call.ended_seq !== null)
      folding.warn(
        event,
        "call_already_ended",
        `The call ${call_id} had already ended (${call.status}) before this ${event.type}`,
      );
    else if (call.started_seq === null && (status === "succeeded" || status === "failed"))
      folding.warn(event, "call_not_started", `The call ${call_id} ended here without having started`);
    forgetProgress(call);
    call.status = status;
    call.tool = event.payload.tool;
    call.ended_seq = event.seq;
    call.ended_at = event.occurred_at;
    call.error = error ?? null;
    call.handled = handled ?? false;
    call.reason = reason ?? null;
    call.planned = planned ?? false;
    call.recorded = recorded ?? null;
    call.branch = branch ?? null;
    setParams(call, event);
    if (output !== undefined) call.output = cite(event, "/output", output);
  };
}

function setParams(call: Call, event: CallEvent): void {
  if (event.payload.params !== undefined) call.params = cite(event, "/params", event.payload.params);
}
