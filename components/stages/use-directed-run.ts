"use client";

import { useLookedAt } from "@/components/studio/use-looked-at.ts";
import { useSelection } from "@/components/studio/use-selection.ts";
import type { Run } from "@/lib/session/session.ts";

/** The looked-at run, while its stages are looked at; null where its plan is, or where nothing directed it (D1). */
export function useDirectedRun(): Run | null {
  const { run } = useLookedAt();
  const [{ graph }] = useSelection();
  return graph === "stages" && run !== null && run.stages.length > 0 ? run : null;
}
