"use client";

import { useMemo } from "react";
import type { Session } from "@/lib/session/session.ts";
import { useStudio } from "../studio/use-studio.ts";
import { type ResolvedSelection, resolveSelection } from "./resolve-selection.ts";
import { useSelection } from "./use-selection.ts";

/**
 * The run, plan and instance that the whole studio looks at, at the place of the playhead; in an earlier session for
 * who shows that one still.
 */
export function useResolvedSelection(earlier?: Session): ResolvedSelection {
  const newest = useStudio((state) => state.session);
  const session = earlier ?? newest;
  const [{ run, iteration, instance, graph }] = useSelection();
  return useMemo(
    () => resolveSelection(session, { run, iteration, instance, graph }),
    [session, run, iteration, instance, graph],
  );
}
