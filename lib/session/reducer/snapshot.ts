import { citeText } from "../json/cite.ts";
import type { Message, Session } from "../session.ts";
import { type BareView, fromView, toBareView } from "../view.ts";

/** Snapshots of other versions are ignored: increase it with every change of what the reducer does with an event. */
export const REDUCER_VERSION = 18;

type Snapshot = Omit<BareView, "last" | "messages">;

/** A serialized session (E8), without messages, which are in their own table. */
export function takeSnapshot(session: Session): string {
  const { last: _last, messages: _messages, ...snapshot } = toBareView(session, session.at);
  return JSON.stringify(snapshot satisfies Snapshot);
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
