"use client";

import { createContext } from "react";

/**
 * Called with node ids when the reader draws an edge; null when the plan is read-only. Its identity is stable, so that
 * nodes are not rendered again.
 */
export const EdgeDrawingContext = createContext<((from: string, to: string) => void) | null>(null);
