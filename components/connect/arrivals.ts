import type { SessionEvent } from "@/lib/session/event.ts";

/** New events of a conversation: the newest step, and their number. */
export interface Arrival {
  /** Null for events without a conversation, such as agent state. */
  conversation_id: string | null;
  type: string;
  seq: number;
  position: number;
  at: string;
  steps: number;
}

/** The most conversations in the list. */
const SHOWN = 6;

/** Adds events: one row per conversation, newest first. */
export function gather(arrivals: readonly Arrival[], events: readonly SessionEvent[]): Arrival[] {
  const byConversation = new Map(arrivals.map((arrival) => [arrival.conversation_id, arrival]));
  for (const { conversation_id, type, seq, position, recorded_at } of events) {
    const before = byConversation.get(conversation_id);
    if (before && before.position >= position) continue;
    // Deleted and set again, so that it is last.
    byConversation.delete(conversation_id);
    const steps = (before?.steps ?? 0) + 1;
    byConversation.set(conversation_id, { conversation_id, type, seq, position, at: recorded_at, steps });
  }
  return [...byConversation.values()].sort((a, b) => b.position - a.position).slice(0, SHOWN);
}

/** The rows: new events since the page was opened, then the newest earlier one. */
export function withNewest(arrivals: readonly Arrival[], newest: Arrival | null): Arrival[] {
  const isKnown = newest === null || arrivals.some((one) => one.conversation_id === newest.conversation_id);
  return isKnown ? [...arrivals] : [...arrivals, newest].sort((a, b) => b.position - a.position).slice(0, SHOWN);
}

/** The newest event of the most recently active conversation before any arrived. */
export function arrivedBefore(event: SessionEvent): Arrival {
  const { conversation_id, type, seq, position, recorded_at } = event;
  return { conversation_id, type, seq, position, at: recorded_at, steps: 0 };
}
