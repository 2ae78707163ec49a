"use client";

import { useQuery } from "@tanstack/react-query";
import { inSlices } from "@/components/graph/layout/in-slices.ts";
import type { Plan } from "@/lib/session/session.ts";
import { readPlanInParts } from "./planned-calls.ts";

/** Above so many calls a plan is read in slices: 5,000 at once would stop the page, and before that the server, for 300 ms. */
const LARGE = 300;

/** Whether the calls of a plan have been read, so that `readPlan` is quick; a large plan is read once the page is there. */
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
