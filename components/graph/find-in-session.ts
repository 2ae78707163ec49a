import { callOfEvent } from "@/components/selection/event-call.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { type ShownCallStatus, shownStatus } from "@/components/ui/status.ts";
import { callKey } from "@/lib/session/keys.ts";
import type { Call, Session } from "@/lib/session/session.ts";
import type { GraphNode } from "./plan-level.ts";

/** A node's call in the session: of the current instance, or without an instance. */
export function callOfNode(session: Session, { keys }: Pick<GraphNode, "keys">): Call | null {
  return session.calls.get(keys[0]) ?? session.calls.get(keys[1]) ?? null;
}

/**
 * The call whose result a node shows. When a new iteration repeats a call that had succeeded, it is skipped and the
 * earlier result counts (P19b).
 */
export function doneCallOfNode(session: Session, node: GraphNode): Call | null {
  const call = callOfNode(session, node);
  if (call?.status !== "skipped") return call;
  for (let iteration = call.iteration - 1; iteration > 0; iteration--) {
    const earlier = session.calls.get(callKey(call.run_id, iteration, call.instance, call.id));
    if (earlier?.status === "succeeded" && earlier.tool === call.tool) return earlier;
  }
  return call;
}

// A chain shows the status of the call that needs most attention, or is running.
const WORST: readonly ShownCallStatus[] = [
  ...([
    "failed",
    "blocked",
    "parked",
    "denied",
    "running",
    "approved",
    "refused",
    "handled",
    "cancelled",
    "superseded",
  ] as const),
  ...(["planned", "skipped", "succeeded"] as const),
];

/** A node's status: its call's, or the worst of a collapsed chain's. */
export function statusOfNode(session: Session, node: GraphNode): ShownCallStatus {
  if (!node.chain) return shownStatus(callOfNode(session, node));
  const found = new Set(node.chain.map((member) => shownStatus(callOfNode(session, member))));
  return WORST.find((status) => found.has(status)) ?? "planned";
}

/** Whether a node is a call's, or contains it in a collapsed chain. */
export function includesCall(session: Session, node: GraphNode, call: Call): boolean {
  return (node.chain ?? [node]).some((one) => callOfNode(session, one) === call);
}

let asked: Pick<StudioState, "session" | "event"> | null = null;
let answer: Call | null = null;

/** The call of the current step. Every node asks on every step, so the result is cached. */
export function touchedCall({ session, event }: Pick<StudioState, "session" | "event">): Call | null {
  if (asked?.session !== session || asked.event !== event) {
    asked = { session, event };
    answer = callOfEvent(session, event);
  }
  return answer;
}
