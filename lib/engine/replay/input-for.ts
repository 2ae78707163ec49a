import { isJsonObject } from "../../session/json/json.ts";
import type { Decision } from "../engine.ts";
import { UnreadableMemory } from "../memory.ts";
import { DIALOG_FAILED } from "../step/course/direct.ts";
import type { Input } from "../step/input.ts";
import { REASONS } from "../step/reasons.ts";
import type { Run } from "../step/run.ts";
import type { Termination } from "../step/state/in-flight.ts";
import { delegateEnd, earlyEnd, endOfCall, lateEnd, SPENT, unpaidAfter } from "./call-ends.ts";
import { approvalFor, progressOf, startOfCall, unstarted } from "./call-starts.ts";
import { directionOf } from "./directions.ts";
import { answerOf, failureOf, requestOf } from "./model-answers.ts";
import { callOf, endOf, placeOf, readFailure } from "./recorded-place.ts";
import type { Given, Recorded, RecordedEvent, Replaying } from "./replaying.ts";

/** What the engine was told before this recorded event; null if it followed of itself. */
export function inputFor(replay: Replaying, run: Run, event: RecordedEvent): Given | null {
  const input = earlyEnd(replay, run) ?? ownInput(replay, run, event);
  if (input) return { run, input };
  return terminationFor(replay, run, event);
}

function ownInput(replay: Replaying, run: Run, event: RecordedEvent): Input | null {
  switch (event.type) {
    case "call.succeeded":
    case "call.superseded":
    case "call.failed":
    case "call.retried":
      return endOfCall(replay, run, event);
    case "call.started":
      return startOfCall(replay, run, event);
    case "call.progressed":
      return progressOf(run, event);
    case "call.parked":
      return approvalFor(replay, run, callOf(run, event.payload));
    case "call.skipped":
    case "call.blocked":
      return unstarted(run, event);
    case "call.cancelled":
      return delegateEnd(run, callOf(run, event.payload));
    case "log":
      return lateEnd(run, event);
    case "confirmation.approved":
      return decisionOf(replay, "approve", event);
    case "confirmation.denied":
      return denialOf(replay, run, event);
    case "selfcheck.warned":
    case "prompt.rendered":
      return requestOf(replay, run, event);
    case "model.responded":
      return answerOf(replay, run, event);
    case "model.failed":
      return failureOf(replay, run, event);
    case "run.resumed":
      return resumption(run, event);
    case "run.iteration":
    case "stage.entered":
    case "stage.changed":
      return directionOf(replay, run);
    case "message.created":
      return replay.sent(run, "tell_escalated") ?? unasked(replay, run);
    case "agent_state.written":
      return event.actor === "system" ? directionOf(replay, run) : unasked(replay, run);
    case "manager.alerted":
      return unpaidAfter(replay, run) ?? unasked(replay, run);
    case "run.finished":
    case "run.failed":
      return unasked(replay, run);
    default:
      return null;
  }
}

/** Ends a run from outside: a person cancelled it, or took its conversation over. */
function terminationFor(replay: Replaying, run: Run, { type, payload }: RecordedEvent): Given | null {
  if (run.root.termination !== null || run.termination !== null) return null;
  if (
    type !== "call.cancelled" &&
    type !== "confirmation.denied" &&
    type !== "run.cancelled" &&
    type !== "message.created"
  )
    return null;
  let found: { run: Run; termination: Termination } | null = null;
  for (let each: Run | undefined = run; each; each = each.parent?.run) {
    const termination = endingOf(replay, each);
    if (termination && (type === "message.created" || !("reason" in payload) || payload.reason === termination.reason))
      found = { run: each, termination };
  }
  return found && { run: found.run, input: { kind: "terminate", termination: found.termination } };
}

/** How the record says that a run was ended from outside; null if it was not, or not now. */
function endingOf(replay: Replaying, run: Run): Termination | null {
  const end = endOf(replay, run);
  if (end?.type === "run.cancelled") {
    const { actor, payload } = end;
    return { reason: payload.reason ?? "", error: null, actor: actor ?? "", gently: false };
  }
  const error = end && isJsonObject(end.payload.error) ? readFailure(end.payload.error) : null;
  if (error?.code !== UnreadableMemory.code) return null;
  return { reason: error.message, error, actor: "system", gently: true };
}

function decisionOf(
  replay: Replaying,
  decision: Decision["decision"],
  { actor, payload }: Recorded<"confirmation.approved" | "confirmation.denied">,
): Input {
  const { reason = null, action = null, result, decided_by } = payload;
  const decided: Decision = { decision, reason, action, result, actor: actor ?? decided_by ?? "" };
  return { kind: "decide", confirmation_id: replay.ids.replayed(payload.confirmation_id), decision: decided };
}

/** A person denied it, the system withdrew it, or its run was ended. */
function denialOf(replay: Replaying, run: Run, event: Recorded<"confirmation.denied">): Input | null {
  const { payload, actor } = event;
  if (actor !== "system") return decisionOf(replay, "deny", event);
  if (run.termination !== null || run.root.termination !== null) return null;
  for (let each: Run | undefined = run; each; each = each.parent?.run)
    if (endingOf(replay, each)?.reason === payload.reason) return null;
  const end = endOf(replay, run.root);
  if (end?.type === "run.failed" && isJsonObject(end.payload.error) && end.payload.error.code === "budget_spent")
    return null;
  // It gives way to another request of the same run.
  for (const next of replay.ahead(run)) {
    if (next.type === "call.parked") {
      const found = approvalFor(replay, run, callOf(run, next.payload));
      if (found && payload.reason?.startsWith(REASONS.replaced(""))) return found;
    }
    if (next.type !== "call.parked" && next.type !== "call.denied" && next.type !== "confirmation.denied") break;
  }
  const confirmation_id = replay.ids.replayed(payload.confirmation_id);
  return { kind: "withdraw", confirmation_id, reason: payload.reason ?? "" };
}

/** Its turn came, or a person resumed it; otherwise it goes on of itself. */
function resumption(run: Run, { payload, actor }: Recorded<"run.resumed">): Input | null {
  const { reason, calls, queued = false } = payload;
  if (reason === REASONS.turnCame()) return { kind: "turn_came", held: true };
  if (calls === undefined) return null;
  const failed = calls.flatMap((place) => {
    const call = callOf(run, place);
    const isFailed = call?.status === "failed" || call?.status === "cancelled";
    return isFailed ? [placeOf(run, place)] : [];
  });
  return { kind: "resume", calls: failed, actor: actor ?? "", held: !queued };
}

/** A model or a director was to be asked, and the run ended instead. */
function unasked(replay: Replaying, run: Run): Input | null {
  const { asking } = run;
  if (!asking || run.termination !== null) return null;
  const end = endOf(replay, run);
  if (end?.type === "run.finished") return directionOf(replay, run);
  if (end?.type !== "run.failed" || !isJsonObject(end.payload.error)) return null;
  const { code, message } = readFailure(end.payload.error);
  const { ticket } = asking;
  if (code === DIALOG_FAILED) {
    const cause = message.replace(/^.*?: /, "").replace(/; [^;]*$/, "");
    return { kind: "direction_failed", ticket, message: cause };
  }
  if (code === SPENT) {
    const alert = replay.ahead(run)[0]?.type === "manager.alerted";
    return { kind: "plan_failed", ticket, why: { kind: "allowance", code, message, alert } };
  }
  return asking.requested === null ? { kind: "plan_failed", ticket, why: { kind: "prompt", code, message } } : null;
}
