"use client";

import { createContext } from "react";

/** How a call differs from the iteration before. */
export type IterationMark = { kind: "added" } | { kind: "changed"; fields: readonly string[] };

/** By the nodes' ids. */
export type IterationMarks = ReadonlyMap<string, IterationMark>;

export const IterationMarksContext = createContext<IterationMarks>(new Map());
