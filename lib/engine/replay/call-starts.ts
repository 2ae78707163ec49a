import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import { actionOf } from "../step/calls/approval-policy.ts";
import type { Input, InputOf } from "../step/input.ts";
import { REASONS } from "../step/reasons.ts";
import type { Run } from "../step/run.ts";
import { contextNow } from "../step/state/context-now.ts";
import type { PendingStart } from "../step/state/in-flight.ts";
import type { RunCall } from "../step/state/run-call.ts";
import { callOf, type Place, placeOf } from "./recorded-place.ts";
import type { Recorded, Replaying } from "./replaying.ts";

/** What a call waited for before it started; null if it started of itself. */
export function startOfCall(replay: Replaying, run: Run, event: Recorded<"call.started">): Input | null {
  const call = callOf(run, event.payload);
  const live = call && run.inFlight.get(call);
  if (!call) return run.asking?.requested != null ? streamed(replay, run, event) : null;
  switch (live?.kind) {
    case "retry":
      return { kind: "retry_due", ticket: live.ticket };
    case "approval": {
      const grant = event.payload.confirmation_id ?? null;
      return { kind: "approval_found", ticket: live.ticket, grant, before: null, others: [] };
    }
    case "recording":
      return { kind: "recording_found", ticket: live.ticket, recorded: recordingOf(replay, run, event) };
    default:
      return null;
  }
}

/** A call that started while its plan was streaming: as it stands in the plan, if it does. */
function streamed(replay: Replaying, run: Run, { payload }: Recorded<"call.started">): Input | null {
  const { asking } = run;
  if (!asking) return null;
  const { call_id, tool, params } = payload;
  const planned = planAhead(replay, run, call_id);
  const call = planned.find(({ _id, _tool }) => _id === call_id && _tool === tool);
  const alone: JsonObject = { _id: call_id, _tool: tool, ...(isJsonObject(params) ? params : {}) };
  return { kind: "call_streamed", ticket: asking.ticket, call: call ?? alone, context: contextNow(run.state) };
}

/** The calls of the plan that is streaming; none if this one was dropped with its plan. */
function planAhead(replay: Replaying, run: Run, callId: string): Recorded<"plan.proposed">["payload"]["calls"] {
  for (const { type, payload } of replay.ahead(run)) {
    if (type === "plan.proposed") return payload.calls;
    if (type === "call.cancelled" && payload.call_id === callId) break;
  }
  return [];
}

/** How the call that starts here ended where it was recorded; null if it was carried out. */
function recordingOf(
  replay: Replaying,
  run: Run,
  event: Recorded<"call.started">,
): InputOf<"recording_found">["recorded"] {
  const { call_id, iteration, instance } = event.payload;
  for (const { type, payload } of replay.ahead(run)) {
    if (type !== "call.succeeded" && type !== "call.failed" && type !== "call.superseded") continue;
    const isSame = payload.call_id === call_id && payload.iteration === iteration && payload.instance === instance;
    if (!isSame || !payload.recorded) continue;
    const { recorded: at, branch = null, error, output = null } = payload;
    const result = type === "call.failed" && error ? ({ ok: false, error } as const) : ({ ok: true, output } as const);
    return { at, branch, result };
  }
  return null;
}

/** What a running call reported. */
export function progressOf(run: Run, { payload }: Recorded<"call.progressed">): Input | null {
  const ticket = ticketOf(run, (attempt) => attempt.call.call_id === payload.call_id, payload);
  const { progress: part = null, message = null } = payload;
  return ticket === null ? null : { kind: "attempt_progressed", ticket, part, message };
}

/** The ticket of a call's attempt that is running or was aborted. */
function ticketOf(run: Run, isOne: (attempt: { call: RunCall }) => boolean, place: Place): number | null {
  const { instance, iteration } = placeOf(run, place);
  for (const [ticket, attempt] of run.attempts) {
    const { call } = attempt;
    if (isOne(attempt) && call.instance === instance && call.iteration === iteration) return ticket;
  }
  return null;
}

/** What the lookup of an earlier approval found: none, and the values that the call would replace. */
export function approvalFor(replay: Replaying, run: Run, call: RunCall | undefined): Input | null {
  const live = call && run.inFlight.get(call);
  if (live?.kind !== "approval") return null;
  const asked = replay
    .ahead(run)
    .find(
      (event): event is Recorded<"confirmation.requested"> =>
        event.type === "confirmation.requested" && callOf(run, { call_id: "", ...event.payload }) === call,
    );
  return {
    kind: "approval_found",
    ticket: live.ticket,
    grant: null,
    before: asked?.payload.before ?? null,
    others: [],
  };
}

/** What was found before a call was skipped or blocked. */
export function unstarted(run: Run, { payload }: Recorded<"call.skipped" | "call.blocked">): Input | null {
  const call = callOf(run, payload);
  const live = call && run.inFlight.get(call);
  if (live?.kind === "recording") return { kind: "recording_found", ticket: live.ticket, recorded: null };
  const pending = live?.kind === "approval" ? run.lookups.get(live.ticket) : undefined;
  if (!live || !pending) return null;
  return {
    kind: "approval_found",
    ticket: live.ticket,
    grant: null,
    before: null,
    others: sameAwaits(run, pending, payload.reason),
  };
}

/** Another run of the user waits for the approval of the same action. */
function sameAwaits(run: Run, pending: PendingStart, reason = "") {
  const [before = "", after = ""] = REASONS.sameAwaits("\n").split("\n");
  if (!reason.startsWith(before)) return [];
  return [{ run_id: "", id: "", key: reason.slice(before.length, -after.length), action: actionOf(run, pending) }];
}
