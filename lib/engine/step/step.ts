import type { NewEvent } from "../../../db/repositories.ts";
import { advance } from "./advance.ts";
import { takeApproval } from "./calls/approvals.ts";
import { takeAnswers } from "./calls/caller-call.ts";
import { decide, denyBySystem, recordDecision, takeDecision } from "./calls/decide.ts";
import { delegateEnded, delegateWaits, openDelegate } from "./calls/delegate-run.ts";
import { endEarly } from "./calls/early-calls.ts";
import { failResult, takeResult, tellQuestion } from "./calls/latent-call.ts";
import { timedOut } from "./calls/retry.ts";
import { endAttempt, progressAttempt, settleTry, stopAttempt, tryAgain } from "./calls/run-activity.ts";
import { takeRecording } from "./calls/simulate-call.ts";
import { beginRun } from "./course/begin-run.ts";
import { failUndirected, takeDirection } from "./course/direct.ts";
import { failPlan, takePlan, takeStreamed, tellPlanRequest } from "./course/outer-loop.ts";
import { recoverRun } from "./course/recover-run.ts";
import { requestTermination, watchTimeBudget } from "./course/request-termination.ts";
import { resumeRun } from "./course/resume.ts";
import { beginTurn, takeTurn } from "./course/turn-place.ts";
import { emitEscalated } from "./course/user-messages.ts";
import type { Effect, ImmediateEffect } from "./effect.ts";
import type { Input, Moment } from "./input.ts";
import type { Run } from "./run.ts";
import { Ids } from "./state/ids.ts";
import { isRunEvent } from "./state/run-event.ts";

/** The result of an input. */
export interface Stepped {
  /** The events to append. */
  events: NewEvent[];
  /** Effects to carry out when the events are on disk. */
  effects: Effect[];
  /** Effects to carry out at once. */
  immediate: ImmediateEffect[];
}

/**
 * Applies one input: changes `run` and its tree, and returns what follows as data. It has no clock, no randomness and no I/O:
 * the same inputs at the same moments, from the same start, give the same events. Throws an `EngineError` for an invalid
 * request of a person; then nothing has changed.
 */
export function step(run: Run, input: Input | Advance, { at, seed }: Moment): Stepped {
  const { tree } = run;
  tree.now = at;
  tree.ids = new Ids(at, seed);
  apply(run, input);
  const { effects, immediate } = tree;
  if (effects.length > 0) tree.effects = [];
  if (immediate.length > 0) tree.immediate = [];
  return { events: run.log.take(), effects, immediate };
}

/** Ends a tick: all inputs have been applied, and what they unblocked continues. */
export interface Advance {
  kind: "advance";
}

function apply(run: Run, input: Input | Advance): void {
  switch (input.kind) {
    case "advance":
      return advance(run);
    case "begin":
      return beginRun(run, input.beginning, input.queued);
    case "recovered":
      return recoverRun(run, input);
    case "wake":
      return;
    case "committed":
      if (input.updated && isRunEvent(input.updated)) run.state.apply(input.updated);
      run.state.notes_to_keep = [];
      return beginTurn(run);
    case "terminate":
      return requestTermination(run, input.termination);
    case "resume":
      return resumeRun(run, input.calls, input.actor, input.held);
    case "decide":
      return decide(run, input.confirmation_id, input.decision);
    case "record_decision":
      return void recordDecision(run, input.confirmation_id, input.decision);
    case "decided":
      return takeDecision(run, input.event);
    case "answered":
      return takeAnswers(run, input.answers, input.actor);
    case "withdraw":
      return denyBySystem(run, input.confirmation_id, input.reason);
    case "tell_escalated":
      return emitEscalated(run, input.caused_by);
    case "turn_came":
      return takeTurn(run, input.held);
    case "turn_held":
      run.place.held = true;
      return;
    case "turn_given_up":
      run.place.held = false;
      return;
    case "time_due":
      return watchTimeBudget(run);
    case "attempt_ended": {
      const ended = endAttempt(run, input);
      if (ended?.early) endEarly(run, ended.early, ended);
      else if (ended) settleTry(run, ended.call, ended);
      return;
    }
    case "attempt_progressed":
      return progressAttempt(run, input);
    case "attempt_timed_out": {
      const attempt = run.attempts.get(input.ticket);
      if (!attempt || attempt.isOver) return;
      const error = timedOut(attempt.handler.timeout_ms);
      stopAttempt(run, input.ticket, error.message);
      const ended = { ...attempt, outcome: { ok: false, error }, jitter: input.jitter } as const;
      if (attempt.early) endEarly(run, attempt.early, ended);
      else settleTry(run, attempt.call, ended);
      return;
    }
    case "retry_due":
      return tryAgain(run, input.ticket);
    case "approval_found":
      return takeApproval(run, input);
    case "recording_found":
      return takeRecording(run, input.ticket, input.recorded);
    case "result_requested":
      return tellQuestion(run, input.ticket, input.requested);
    case "result_came":
      return takeResult(run, input);
    case "result_failed":
      return failResult(run, input);
    case "plan_requested":
      return tellPlanRequest(run, input);
    case "call_streamed":
      return takeStreamed(run, input);
    case "plan_came":
      return takePlan(run, input);
    case "plan_failed":
      return failPlan(run, input);
    case "directed":
      return takeDirection(run, input.ticket, input.direction);
    case "direction_failed":
      return failUndirected(run, input.ticket, input.message);
    case "open_delegate":
      return openDelegate(run, input.ticket);
    case "delegate_waits":
      return delegateWaits(run, input.call, input.run_id, input.waiting);
    case "delegate_ended":
      return delegateEnded(run, input.call, input.run_id);
    default:
      return input satisfies never;
  }
}
