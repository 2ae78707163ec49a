"use client";

import { createContext } from "react";

/**
 * What an edge that a reader draws from one node to another does, by the nodes' ids. Null where the plan is only looked
 * at. The function never changes, so that nodes need not be drawn again for it.
 */
export const EdgeDrawingContext = createContext<((from: string, to: string) => void) | null>(null);
