"use client";

import { useQuery } from "@tanstack/react-query";
import { inSlices } from "@/components/graph/layout/in-slices.ts";
import { readPlanInParts } from "@/lib/session/runs/planned-calls.ts";
import type { Plan } from "@/lib/session/session.ts";

/**
 * Above this number of calls a plan is parsed in slices: 5,000 at once would block the page, and server rendering, for
 * 300 ms.
 */
const LARGE = 300;

/** Whether a plan's calls are parsed, so that `readPlan` is fast; a large plan is parsed after hydration. */
export function usePlanRead(plan: Plan | null): boolean {
  const large = plan && !plan.recorded && plan.calls.length > LARGE ? plan : null;
  const { isSuccess } = useQuery({
    queryKey: ["plan-read", large?.run_id, large?.iteration, large?.calls.length],
    queryFn: async ({ signal }) => {
      if (large) await inSlices(readPlanInParts(large), signal);
      return true;
    },
    enabled: large !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return large === null || isSuccess;
}
