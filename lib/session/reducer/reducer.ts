import { type EventOf, isKnown, type SessionEvent } from "../event.ts";
import { DEFINITIONS } from "../events/definitions.ts";
import type { EventType } from "../events/kinds.ts";
import type { Session } from "../session.ts";
import { emptySummary, summarize } from "../summary/summary.ts";
import { bound } from "./bounds.ts";
import { Folding } from "./folding.ts";

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
 * Reduces events, in the order of their `seq`, into a session (E6, E7). Pure: the input is never changed, and unchanged
 * parts stay the same objects. The server and the browser run the same code. An inconsistent event (a call ended that
 * never started) is applied as far as possible and adds a warning; it never throws.
 */
export function fold(session: Session, events: Iterable<SessionEvent>): Session {
  const folding = new Folding(session);
  for (const event of events) {
    const { root } = folding;
    root.at = event.seq;
    root.summary = summarize(root.summary, event);
    if (isKnown(event)) foldKnown(folding, event);
    else folding.warn(event, "unknown_type", `The event type ${event.type} is unknown; the event is kept unchanged`);
    bound(folding);
  }
  return folding.root;
}

function foldKnown<T extends EventType>(folding: Folding, event: EventOf<T>): void {
  DEFINITIONS[event.type].fold?.(folding, event);
}
