import { bound } from "./bounds.ts";
import { isKnown, type KnownEvent, type SessionEvent } from "./event.ts";
import { foldCall } from "./fold-call.ts";
import { foldConfirmation } from "./fold-confirmation.ts";
import { foldMemory } from "./fold-memory.ts";
import { foldMessage } from "./fold-message.ts";
import { foldPlan, foldVerdict } from "./fold-plan.ts";
import { foldDelegate, foldLateRequest, foldPrompt, foldRun } from "./fold-run.ts";
import { foldStage } from "./fold-stage.ts";
import { foldState } from "./fold-state.ts";
import { foldUsage } from "./fold-usage.ts";
import { Folding } from "./folding.ts";
import type { Session } from "./session.ts";
import { emptySummary, summarize } from "./summary.ts";

/** A session before its first event. */
export function emptySession(conversationId: string | null): Session {
  return {
    conversation_id: conversationId,
    at: 0,
    summary: emptySummary(),
    messages: [],
    messages_before: 0,
    runs: new Map(),
    runs_before: 0,
    plans: new Map(),
    calls: new Map(),
    calls_before: 0,
    usage: [],
    memory: null,
    conversation_state: null,
    confirmations: new Map(),
    alerts: [],
    warnings: [],
  };
}

/**
 * Folds events, in the order of their `seq`, into the session as it stood before them (E6, E7). Pure: the session
 * handed in is never changed, and parts that no event touches stay the same objects. The server and the browser run
 * this very code. An event that cannot be (a call ended that never started) is folded as far as it makes sense and
 * leaves a warning; it never throws.
 */
export function fold(session: Session, events: Iterable<SessionEvent>): Session {
  const folding = new Folding(session);
  for (const event of events) {
    const { root } = folding;
    root.at = event.seq;
    root.summary = summarize(root.summary, event);
    if (isKnown(event)) foldKnown(folding, event);
    else
      folding.warn(event, "unknown_type", `The event type ${event.type} is not in the catalogue; it is kept as it is`);
    bound(folding);
  }
  return folding.root;
}

function foldKnown(folding: Folding, event: KnownEvent): void {
  switch (event.type) {
    case "message.created":
      return foldMessage(folding, event);
    case "run.started":
    case "run.iteration":
    case "run.waiting":
    case "run.resumed":
    case "run.finished":
    case "run.failed":
    case "run.cancelled":
      return foldRun(folding, event);
    case "prompt.rendered":
      return foldPrompt(folding, event);
    case "plan.proposed":
      return foldPlan(folding, event);
    case "plan.validated":
    case "plan.rejected":
      return foldVerdict(folding, event);
    case "call.started":
    case "call.succeeded":
    case "call.failed":
    case "call.retried":
    case "call.skipped":
    case "call.blocked":
    case "call.parked":
    case "call.denied":
    case "call.superseded":
    case "call.cancelled":
      return foldCall(folding, event);
    case "state.written":
      return foldState(folding, event);
    case "memory.updated":
      return foldMemory(folding, event);
    case "selfcheck.warned":
      for (const warning of event.payload.warnings) folding.warn(event, "self_check", warning);
      return;
    case "confirmation.requested":
    case "confirmation.approved":
    case "confirmation.denied":
      return foldConfirmation(folding, event);
    case "manager.alerted":
      return folding.addAlert({
        seq: event.seq,
        run_id: event.run_id,
        text: event.payload.text,
        reason: event.payload.reason ?? null,
        at: event.occurred_at,
      });
    case "stage.entered":
      return foldStage(folding, event);
    case "model.requested":
      return foldLateRequest(folding, event);
    case "model.responded":
      return foldUsage(folding, event);
    case "delegate.started":
      return foldDelegate(folding, event);
    // The summary has what these say; nothing else of the session depends on them.
    case "conversation.created":
    case "conversation.titled":
    case "conversation.taken_over":
    case "conversation.handed_back":
    case "conversation.bookmarked":
    case "conversation.unbookmarked":
    case "fork.mode_changed":
    case "stage.changed":
    case "history.truncated":
    case "placeholder.missing":
    case "model.failed":
    case "plan.simulated":
    case "delegate.finished":
    case "agent_state.written":
    case "agent_state.deleted":
    case "log":
      return;
    default:
      return event satisfies never;
  }
}
