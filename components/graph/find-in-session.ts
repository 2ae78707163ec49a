import { callOfEvent } from "@/components/studio/event-call.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import type { Call, Session } from "@/lib/session/session.ts";
import type { GraphNode } from "./plan-level.ts";

/** A node's call as the session has it: the looked-at instance's, or the one that belongs to none. */
export function callOfNode(session: Session, { keys }: Pick<GraphNode, "keys">): Call | null {
  return session.calls.get(keys[0]) ?? session.calls.get(keys[1]) ?? null;
}

let asked: Pick<StudioState, "session" | "event"> | null = null;
let answer: Call | null = null;

/** The call that the current step is about. Every node asks on every step, so the newest answer is kept. */
export function touchedCall({ session, event }: Pick<StudioState, "session" | "event">): Call | null {
  if (asked?.session !== session || asked.event !== event) {
    asked = { session, event };
    answer = callOfEvent(session, event);
  }
  return answer;
}
