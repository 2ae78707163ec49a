import type { Session } from "../session.ts";

/**
 * Whether a conversation was made of spans, and nothing in them was read up to here: no message, no call, no model. Its agent may
 * have done much.
 */
export function isOfUnreadSpans({
  summary,
  calls,
  usage,
}: Pick<Session, "calls" | "usage"> & {
  summary: Pick<Session["summary"], "channel" | "event_count" | "message_count" | "call_count">;
}): boolean {
  const { channel, event_count, message_count, call_count } = summary;
  // The first event begins the conversation.
  if (channel !== "otlp" || event_count < 2 || message_count > 0 || call_count > 0) return false;
  return calls.size === 0 && usage.length === 0;
}
