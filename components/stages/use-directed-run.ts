"use client";

import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import type { Run } from "@/lib/session/session.ts";

/**
 * The looked-at run, while its stages are looked at; null where its plan is, or where nothing directed it (D1). Of a run
 * that called nothing its stages are all there is to see.
 */
export function useDirectedRun(): Run | null {
  const { run, plan } = useResolvedSelection();
  const [{ graph }] = useSelection();
  if (run === null || run.stages.length === 0) return null;
  const kind = graph ?? (plan === null ? "stages" : "plan");
  return kind === "stages" ? run : null;
}
