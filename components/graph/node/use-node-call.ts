"use client";

import { useStudio } from "@/components/studio/use-studio.ts";
import type { Call } from "@/lib/session/session.ts";
import { callOfNode, doneCallOfNode, touchedCall } from "../find-in-session.ts";
import type { GraphNode } from "../plan-level.ts";

/** A node's call at the current step; the node renders only when its own call changes. */
export function useNodeCall(node: GraphNode): Call | null {
  return useStudio((state) => callOfNode(state.session, node));
}

/** The call whose result the node shows: an earlier iteration's if it had succeeded (P19b). */
export function useDoneCall(node: GraphNode): Call | null {
  return useStudio((state) => doneCallOfNode(state.session, node));
}

/** The current step's number if it is about this node's call; null otherwise. */
export function useTouched(node: GraphNode): number | null {
  return useStudio((state) => {
    const call = callOfNode(state.session, node);
    return call !== null && call === touchedCall(state) ? (state.event?.seq ?? null) : null;
  });
}
