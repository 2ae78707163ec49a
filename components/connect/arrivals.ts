import type { SessionEvent } from "@/lib/session/event.ts";

/** What came of a conversation: its newest step, and how many came while the page is open. */
export interface Arrival {
  /** Null of what belongs to none: agent state. */
  conversation_id: string | null;
  type: string;
  seq: number;
  position: number;
  at: string;
  steps: number;
}

/** So many conversations are shown. */
const SHOWN = 6;

/** The arrivals with these events, which have come after them: a conversation each, the newest first. */
export function gather(arrivals: readonly Arrival[], events: readonly SessionEvent[]): Arrival[] {
  const byConversation = new Map(arrivals.map((arrival) => [arrival.conversation_id, arrival]));
  for (const { conversation_id, type, seq, position, recorded_at } of events) {
    const before = byConversation.get(conversation_id);
    if (before && before.position >= position) continue;
    // Set anew, so that it is the last.
    byConversation.delete(conversation_id);
    const steps = (before?.steps ?? 0) + 1;
    byConversation.set(conversation_id, { conversation_id, type, seq, position, at: recorded_at, steps });
  }
  return [...byConversation.values()].sort((a, b) => b.position - a.position).slice(0, SHOWN);
}

/** What is shown: what came while the page is open, and below it what was the newest before. */
export function withNewest(arrivals: readonly Arrival[], newest: Arrival | null): Arrival[] {
  const isKnown = newest === null || arrivals.some((one) => one.conversation_id === newest.conversation_id);
  return isKnown ? [...arrivals] : [...arrivals, newest].sort((a, b) => b.position - a.position).slice(0, SHOWN);
}

/** The newest event of the conversation that was active last, as it was before anything has come. */
export function arrivedBefore(event: SessionEvent): Arrival {
  const { conversation_id, type, seq, position, recorded_at } = event;
  return { conversation_id, type, seq, position, at: recorded_at, steps: 0 };
}
