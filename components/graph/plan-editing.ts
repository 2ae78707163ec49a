"use client";

import { createContext } from "react";
import type { GraphNode } from "./plan-level.ts";

/** What the reader can do with a plan that is being edited. Its identity is stable, so that nodes are not rendered again. */
export interface PlanEditing {
  /** Draws an edge between nodes, by their ids, from an output by its index (null for a call without one). */
  draw(from: string, to: string, output: number | null): void;
  /** Selects a call and nothing else. */
  selectOnly(node: GraphNode): void;
  /** Adds calls to the selection, or with `toggle` takes out the one that is in it. */
  selectAlso(nodes: readonly GraphNode[], how: "add" | "toggle"): void;
}

/** Null when the plan is read-only. */
export const PlanEditingContext = createContext<PlanEditing | null>(null);
