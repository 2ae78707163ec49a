/**
 * Every event type of the catalogue with its kind, by which the timeline colours it unless it is an error. Without Zod, so that
 * pages that only label events stay small; `catalogue.ts` has the payloads.
 */
export const EVENT_KINDS = {
  "conversation.created": "run",
  "conversation.titled": "run",
  "conversation.taken_over": "approval",
  "conversation.handed_back": "approval",
  "conversation.bookmarked": "run",
  "conversation.unbookmarked": "run",
  "fork.mode_changed": "approval",
  "message.created": "message",
  "run.started": "run",
  "run.iteration": "run",
  "run.waiting": "approval",
  "run.resumed": "run",
  "run.finished": "run",
  "run.failed": "run",
  "run.cancelled": "run",
  "prompt.rendered": "model",
  "history.truncated": "model",
  "placeholder.missing": "model",
  "model.requested": "model",
  "model.responded": "model",
  "model.failed": "model",
  "plan.proposed": "model",
  "plan.validated": "model",
  "plan.rejected": "model",
  "plan.simulated": "model",
  "call.started": "tool",
  "call.succeeded": "tool",
  "call.failed": "tool",
  "call.retried": "tool",
  "call.progressed": "tool",
  "call.skipped": "tool",
  "call.blocked": "tool",
  "call.parked": "approval",
  "call.denied": "approval",
  "call.superseded": "tool",
  "call.cancelled": "tool",
  "state.written": "state",
  "memory.updated": "memory",
  "selfcheck.warned": "memory",
  "confirmation.requested": "approval",
  "confirmation.partially_approved": "approval",
  "confirmation.approved": "approval",
  "confirmation.denied": "approval",
  "stage.entered": "run",
  "stage.changed": "run",
  "manager.alerted": "approval",
  "delegate.started": "run",
  "delegate.finished": "run",
  "agent_state.written": "memory",
  "agent_state.deleted": "memory",
  log: "run",
} as const satisfies Record<string, Subject>;

/** The kind of an event, which sets its colour in the console. */
type Subject = "message" | "run" | "model" | "tool" | "state" | "approval" | "memory";

/** How a step is drawn: by its kind, or as an error. */
export type EventKind = Subject | "error";

/** The name of an event of the catalogue. */
export type EventType = keyof typeof EVENT_KINDS;

const TYPES: ReadonlySet<string> = new Set(Object.keys(EVENT_KINDS));

/** Whether the catalogue has this type. Events of other types are stored and shown unchanged. */
export function isEventType(type: string): type is EventType {
  return TYPES.has(type);
}

/** How a step is drawn; a type that is not in the catalogue is drawn as `run`. */
export function kindOf({ type, error }: { type: string; error: boolean }): EventKind {
  return error ? "error" : subjectOf(type);
}

function subjectOf(type: string): Subject {
  return isEventType(type) ? EVENT_KINDS[type] : "run";
}
