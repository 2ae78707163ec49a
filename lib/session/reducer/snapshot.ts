import { citeText } from "../json/cite.ts";
import type { Message, Session, View } from "../session.ts";
import { fromView } from "../view.ts";

/** Snapshots of other versions are ignored: increase it with every change of what the reducer does with an event. */
export const REDUCER_VERSION = 18;

type Snapshot = Omit<View, "last" | "status" | "stage" | "plan" | "state" | "messages">;

/** A serialized session (E8), without messages, which are in their own table. */
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
 * Restores a session. `messages` are the newest 200 at or before its step, oldest first. The text must be of the same
 * `REDUCER_VERSION`.
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
