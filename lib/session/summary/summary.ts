import { isBookmarking } from "../bookmarks.ts";
import { type EventOf, isKnown, type SessionEvent } from "../event.ts";
import { DEFINITIONS } from "../events/definitions.ts";
import { indexColumnsOf, stepWith } from "../events/event-index-columns.ts";
import type { EventType } from "../events/kinds.ts";
import type { ConversationStatus, ShownConversationStatus, Summary, Unanswered } from "../session.ts";
import { countFailure, mayCount, NO_FAILURES } from "../timeline/failures.ts";
import { addActivity, emptyActivity } from "./activity.ts";

export function emptySummary(): Summary {
  return {
    title: null,
    subject: null,
    channel: null,
    user_id: null,
    agent_id: null,
    stage: null,
    message_count: 0,
    event_count: 0,
    call_count: 0,
    last_seq: 0,
    created_at: null,
    updated_at: null,
    forked_from: null,
    preview: null,
    activity: emptyActivity(),
    open_runs: {},
    open_calls: {},
    awaiting: [],
    unanswered: [],
    escalated: false,
    taken_over: null,
    newest_run: null,
    simulated: false,
    ended: null,
    asked: false,
    untouched: false,
    failures: NO_FAILURES,
  };
}

/** Reduces an event into the conversation's row in the list (E4). Pure. */
export function summarize(summary: Summary, event: SessionEvent): Summary {
  const next = copyOf(summary);
  addToSummary(next, event);
  return next;
}

/** A copy that `addToSummary` may change. */
export function copyOf(summary: Summary): Summary {
  return { ...summary, activity: { ...summary.activity, counts: [...summary.activity.counts] } };
}

/** Folds one event into a summary in place: one copy serves many events. `columns` are those of the event's payload. */
export function addToSummary(next: Summary, event: SessionEvent, columns = indexColumnsOf(event)): void {
  const at = earlier(event.occurred_at ?? event.recorded_at, event.recorded_at);
  next.event_count += 1;
  next.last_seq = event.seq;
  // No activity: the conversation keeps its position in the list.
  if (isBookmarking(event.type) && next.updated_at !== null) return;
  let error = false;
  if (mayCount(next.failures, event.type)) {
    const counted = countFailure(next.failures, stepWith(event, columns));
    next.failures = counted.failures;
    error = counted.error;
  }
  if (next.unanswered.length > 0) next.unanswered = next.unanswered.filter((decided) => !isAnswer(event, decided));
  next.created_at ??= at;
  if (next.updated_at === null || next.updated_at < at) next.updated_at = at;
  next.agent_id ??= event.agent_id;
  const time = event.occurred_at === null ? null : Date.parse(event.occurred_at);
  addActivity(next.activity, event.seq, time, markOf(event.type, error));
  if (isKnown(event)) summarizeKnown(next, event);
}

/** The status of a conversation, the first that applies: escalated, waiting, running, failed, idle. */
export function statusOf(summary: Summary): ConversationStatus {
  if (summary.escalated) return "escalated";
  const runs = Object.values(summary.open_runs);
  if (summary.awaiting.length > 0 || runs.includes("waiting")) return "waiting";
  if (runs.length > 0 || Object.keys(summary.open_calls ?? {}).length > 0) return "running";
  return summary.ended === "failed" ? "failed" : "idle";
}

/** The status as shown in the list, the studio and the API. */
export function shownStatusOf(summary: Summary): ShownConversationStatus {
  const status = statusOf(summary);
  const decision = summary.unanswered.at(-1)?.decision;
  if (decision !== undefined && (status === "running" || status === "idle"))
    return decision === "approved" ? "approved" : "refused";
  if (status !== "idle") return status;
  if (summary.asked && summary.newest_run !== null) return "no_answer";
  if (summary.untouched) return "not_run";
  if (summary.newest_run === null) return summary.call_count === 0 ? "no_runs" : "done";
  if (summary.ended === "cancelled") return "cancelled";
  return summary.simulated ? "simulated" : "done";
}

function summarizeKnown<T extends EventType>(next: Summary, event: EventOf<T>): void {
  DEFINITIONS[event.type].summarize?.(next, event);
}

/** Whether the agent has responded: with the run that requested approval, or with any event if no run did. */
function isAnswer(event: SessionEvent, { run_id }: Pick<Unanswered, "run_id">): boolean {
  if (event.type === "confirmation.approved" || event.type === "confirmation.denied") return false;
  if (run_id !== null) return event.run_id === run_id || event.parent_run_id === run_id;
  return !event.type.startsWith("conversation.") && !/^(user|operator)\b/.test(event.actor ?? "");
}

function markOf(type: string, error: boolean): string {
  if (type === "manager.alerted" || type === "conversation.taken_over") return "m";
  if (error) return "e";
  return type === "call.parked" || type === "confirmation.requested" ? "w" : ".";
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}
