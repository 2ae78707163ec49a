"use client";

import { useStudio } from "@/components/studio/use-studio.ts";
import type { Call } from "@/lib/session/session.ts";
import { callOfNode, doneCallOfNode, touchedCall } from "../find-in-session.ts";
import type { GraphNode } from "../plan-level.ts";

/** A node's call as it stood; the node is drawn again when its own call changes, and only then. */
export function useNodeCall(node: GraphNode): Call | null {
  return useStudio((state) => callOfNode(state.session, node));
}

/** The call that brought what the node was to bring: an earlier iteration's where it was done already (P19b). */
export function useDoneCall(node: GraphNode): Call | null {
  return useStudio((state) => doneCallOfNode(state.session, node));
}

/** The number of the current step when it is about this node's call; null otherwise. */
export function useTouched(node: GraphNode): number | null {
  return useStudio((state) => {
    const call = callOfNode(state.session, node);
    return call !== null && call === touchedCall(state) ? (state.event?.seq ?? null) : null;
  });
}
