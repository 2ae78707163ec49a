"use client";

import { useMemo } from "react";
import type { PlanScope } from "@/components/selection/use-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";

/** Whose calls the graph pane shows: as chosen, else the session's where its runs have no plans of their own. */
export function usePlanScope(): { scope: PlanScope; byDefault: PlanScope } {
  const [{ plan, graph }] = useSelection();
  const hasPlans = useStudio(({ session }) => [...session.plans.values()].some(({ recorded }) => !recorded));
  const hasCalls = useStudio(({ session, now }) => session.calls.size > 0 || now.call_count > 0);
  const isDirected = useStudio(({ session }) => [...session.runs.values()].some(({ stages }) => stages.length > 0));
  const timeline = useStudio((state) => state.timeline);
  const willHavePlans = useMemo(() => timeline?.some(({ type }) => type === "plan.proposed") ?? false, [timeline]);
  const isTold = graph === null && hasCalls && !hasPlans && !willHavePlans && !isDirected;
  const byDefault = isTold ? "session" : "run";
  return { scope: plan ?? byDefault, byDefault };
}
