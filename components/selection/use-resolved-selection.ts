"use client";

import { useMemo } from "react";
import type { Session } from "@/lib/session/session.ts";
import { useStudio } from "../studio/use-studio.ts";
import { type ResolvedSelection, resolveSelection } from "./resolve-selection.ts";
import { useSelection } from "./use-selection.ts";

/** The resolved selection at the current step, or in a given session. */
export function useResolvedSelection(earlier?: Session): ResolvedSelection {
  const newest = useStudio((state) => state.session);
  const session = earlier ?? newest;
  const [{ run, iteration, instance, graph }] = useSelection();
  return useMemo(
    () => resolveSelection(session, { run, iteration, instance, graph }),
    [session, run, iteration, instance, graph],
  );
}
