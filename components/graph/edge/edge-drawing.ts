"use client";

import { createContext } from "react";

/**
 * Called with node ids and the index of the output (null for a call without one) when the reader draws an edge; null when
 * the plan is read-only. Its identity is stable, so that
 * nodes are not rendered again.
 */
export const EdgeDrawingContext = createContext<((from: string, to: string, output: number | null) => void) | null>(
  null,
);
