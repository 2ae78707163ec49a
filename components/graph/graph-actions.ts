"use client";

import { createContext, useContext } from "react";
import type { InferredInput } from "./edge/inferred-inputs.ts";
import type { GraphNode } from "./plan-level.ts";

/** What can be done from within a node. The object never changes, so that nodes need not be drawn again for it. */
export interface GraphActions {
  selectCall(node: GraphNode): void;
  selectPath(path: string): void;
  /** Goes to the call or the step that brought something. */
  showSource(brought: InferredInput): void;
  /** Opens a delegate's frame in place, or closes it. */
  toggleFrame(node: GraphNode): void;
  /** Opens a chain in place, or collapses it again by its first call; the focus goes along. */
  toggleChain(node: GraphNode): void;
}

export const GraphActionsContext = createContext<GraphActions | null>(null);

export function useGraphActions(): GraphActions {
  const actions = useContext(GraphActionsContext);
  if (!actions) throw new Error("A node is used outside of the plan graph");
  return actions;
}
