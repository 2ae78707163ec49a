import { isKnown, type SessionEvent } from "@/lib/session/event.ts";
import type { Call, Session } from "@/lib/session/session.ts";

/** The call of an event in the session; null for none. */
export function callOfEvent(session: Session, event: SessionEvent | null): Call | null {
  if (!event || !isKnown(event)) return null;
  const { payload } = event;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return null;
  if (!("call_id" in payload) || typeof payload.call_id !== "string") return null;
  const iteration = "iteration" in payload ? payload.iteration : undefined;
  const instance = "instance" in payload ? payload.instance : undefined;
  // A delegate's own events name the parent's call that it executes.
  const runs = event.type.startsWith("delegate.") ? [event.run_id, event.parent_run_id] : [event.run_id];
  return (
    [...session.calls.values()].findLast(
      (call) =>
        call.id === payload.call_id &&
        runs.includes(call.run_id) &&
        (iteration === undefined || call.iteration === iteration) &&
        (instance === undefined || call.instance === instance),
    ) ?? null
  );
}
