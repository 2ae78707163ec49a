"use client";

import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import type { Run } from "@/lib/session/session.ts";

/**
 * The current run when its stages are shown; null when its plan is shown, or for a run outside of the main graph (D1).
 * A run without calls shows its stages by default.
 */
export function useDirectedRun(): Run | null {
  const { run, plan } = useResolvedSelection();
  const [{ graph }] = useSelection();
  if (run === null || run.stages.length === 0) return null;
  const kind = graph ?? (plan === null ? "stages" : "plan");
  return kind === "stages" ? run : null;
}
