"use client";

import { createContext } from "react";

/** How a call differs from the previous iteration; in a comparison, also that only the first side has it (C10). */
export type IterationMark = { kind: "added" | "removed" } | { kind: "changed"; fields: readonly string[] };

/** By node id. */
export type IterationMarks = ReadonlyMap<string, IterationMark>;

export const IterationMarksContext = createContext<IterationMarks>(new Map());
