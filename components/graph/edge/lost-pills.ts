import type { Session } from "@/lib/session/session.ts";
import { callOfNode, doneCallOfNode } from "../find-in-session.ts";
import type { PlacedEdge } from "../layout/layout.ts";
import { type LinkState, linkState } from "./link-state.ts";

/** The state of an edge at this step. */
export function edgeState(session: Session, { from, to, write }: Pick<PlacedEdge, "from" | "to" | "write">): LinkState {
  const reader = to.chain?.[0] ?? to;
  return linkState(doneCallOfNode(session, from), callOfNode(session, reader), write, from.call.output?.length ?? 1);
}

/**
 * The inputs of a call that will never get a value, because every writer has ended without one. `feeds` are the edges
 * to the call. Returned as a string, which is cheap to compare.
 */
export function lostPills(session: Session, feeds: readonly PlacedEdge[]): string {
  const hopes = new Map<number, boolean>();
  for (const edge of feeds) {
    const state = edgeState(session, edge);
    const hope = state === "done" || state === "idle";
    hopes.set(edge.pill, hope || (hopes.get(edge.pill) ?? false));
  }
  return [...hopes.keys()].filter((pill) => !hopes.get(pill)).join(" ");
}
