import { cite } from "./cite.ts";
import type { KnownEvent } from "./event.ts";
import { meetInstance, plannedCall } from "./fold-plan.ts";
import type { Folding } from "./folding.ts";
import { callKey } from "./keys.ts";
import type { Call, CallStatus } from "./session.ts";

type CallEvent = Extract<KnownEvent, { type: `call.${string}` }>;

/** A call starts, is tried again, waits or ends (P21). */
export function foldCall(folding: Folding, event: CallEvent): void {
  const call = callOf(folding, event);
  call.decision = null;
  switch (event.type) {
    case "call.started":
      return startCall(call, event);
    case "call.retried":
      return retryCall(call, event);
    case "call.parked":
      openAgain(call);
      call.status = "parked";
      call.parked_seq = event.seq;
      call.parked_at = event.occurred_at;
      call.confirmation_id = event.payload.confirmation_id ?? call.confirmation_id;
      call.reason = event.payload.reason ?? null;
      setParams(call, event);
      return;
    case "call.succeeded":
      return endCall(folding, call, event, "succeeded");
    case "call.failed":
      return endCall(folding, call, event, "failed");
    case "call.skipped":
      return endCall(folding, call, event, "skipped");
    case "call.blocked":
      return endCall(folding, call, event, "blocked");
    case "call.denied":
      return endCall(folding, call, event, "denied");
    case "call.superseded":
      return endCall(folding, call, event, "superseded");
    case "call.cancelled":
      return endCall(folding, call, event, "cancelled");
    default:
      return event satisfies never;
  }
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
  // A retry's start belongs to the same execution, so its length counts from the first try.
  if (call.started_seq === null || call.ended_seq !== null) {
    call.started_seq = event.seq;
    call.started_at = event.occurred_at;
  }
  openAgain(call);
  call.output_path = event.payload.output_path ?? call.output_path;
  call.reads = event.payload.reads ?? call.reads;
  setParams(call, event);
}

/** A call goes on, or will: it has not ended, whatever was told before. */
export function openAgain(call: Call): void {
  call.ended_seq = null;
  call.ended_at = null;
  call.error = null;
  call.handled = false;
  call.reason = null;
  call.planned = false;
  call.recorded = null;
}

function retryCall(call: Call, event: CallEvent): void {
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

function endCall(folding: Folding, call: Call, event: CallEvent, status: CallStatus): void {
  const { call_id, output, error, handled, reason, planned, recorded, branch } = event.payload;
  if (call.ended_seq !== null)
    folding.warn(
      event,
      "call_already_ended",
      `The call ${call_id} had ended as ${call.status} before this ${event.type}`,
    );
  else if (call.started_seq === null && (status === "succeeded" || status === "failed"))
    folding.warn(event, "call_not_started", `The call ${call_id} ended here, but it has not been started`);
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
}

function setParams(call: Call, event: CallEvent): void {
  if (event.payload.params !== undefined) call.params = cite(event, "/params", event.payload.params);
}
