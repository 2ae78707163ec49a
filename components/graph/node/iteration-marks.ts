"use client";

import { createContext } from "react";

/** How a call differs from the iteration before; of two plans laid over each other, that only the first has it (C10). */
export type IterationMark = { kind: "added" | "removed" } | { kind: "changed"; fields: readonly string[] };

/** By the nodes' ids. */
export type IterationMarks = ReadonlyMap<string, IterationMark>;

export const IterationMarksContext = createContext<IterationMarks>(new Map());
