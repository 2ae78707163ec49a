"use client";

import { createContext, useContext } from "react";
import type { InferredInput } from "./edge/inferred-inputs.ts";
import type { GraphNode } from "./plan-level.ts";

/** Actions of nodes. The object's identity is stable, so that nodes are not rendered again. */
export interface GraphActions {
  /** Selects a call; in a plan that is being edited, `also` adds it to the selection or takes it out. */
  selectCall(node: GraphNode, also?: boolean): void;
  selectPath(path: string): void;
  /** Goes to the call or step of a source. */
  showSource(brought: InferredInput): void;
  /** Expands or collapses a delegate's frame. */
  toggleFrame(node: GraphNode): void;
  /** Expands a chain, or collapses it by its first call, and moves the focus. */
  toggleChain(node: GraphNode): void;
}

export const GraphActionsContext = createContext<GraphActions | null>(null);

export function useGraphActions(): GraphActions {
  const actions = useContext(GraphActionsContext);
  if (!actions) throw new Error("A node is used outside of the plan graph");
  return actions;
}
