import type { Session } from "@/lib/session/session.ts";
import { callOfNode, doneCallOfNode } from "../find-in-session.ts";
import type { PlacedEdge } from "../layout/layout.ts";
import { type LinkState, linkState } from "./link-state.ts";

/** What became of an edge at this step. */
export function edgeState(session: Session, { from, to, write }: Pick<PlacedEdge, "from" | "to" | "write">): LinkState {
  const reader = to.chain?.[0] ?? to;
  return linkState(doneCallOfNode(session, from), callOfNode(session, reader), write, from.call.output?.length ?? 1);
}

/**
 * The pills of a call whose value will never arrive, since every writer of it has ended without. `feeds` are the
 * edges that end at the call. As text, so that it is compared cheaply.
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
