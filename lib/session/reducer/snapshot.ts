import { citeText } from "../json/cite.ts";
import type { Message, Session, View } from "../session.ts";
import { fromView } from "../view.ts";

/** Snapshots of another version are ignored: raise it with every change of what the reducer makes of an event. */
export const REDUCER_VERSION = 14;

type Snapshot = Omit<View, "last" | "status" | "stage" | "plan" | "state" | "messages">;

/** A session as text to be stored (E8). It carries no messages: those are read from their table. */
export function takeSnapshot(session: Session): string {
  const snapshot: Snapshot = {
    conversation_id: session.conversation_id,
    at: session.at,
    summary: session.summary,
    messages_before: session.messages_before,
    runs: [...session.runs.values()],
    runs_before: session.runs_before,
    plans: [...session.plans.values()],
    calls: [...session.calls.values()],
    calls_before: session.calls_before,
    usage: [...session.usage],
    memory: session.memory,
    conversation_state: session.conversation_state,
    confirmations: [...session.confirmations.values()],
    alerts: [...session.alerts],
    warnings: [...session.warnings],
  };
  return JSON.stringify(snapshot);
}

/**
 * The session of a snapshot. `messages` are the newest 200 at or before its step, oldest first, as their table has
 * them. The text must be one that `takeSnapshot` of the same `REDUCER_VERSION` made.
 */
export function readSnapshot(text: string, messages: (Message & { content: string })[]): Session {
  const snapshot: Snapshot = JSON.parse(text);
  return fromView({
    ...snapshot,
    messages: messages.map((message) => ({
      ...message,
      content: citeText({ conversation_id: snapshot.conversation_id, seq: message.seq }, "/content", message.content),
    })),
  });
}
