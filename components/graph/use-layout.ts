"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useStore } from "@xyflow/react";
import { useMemo } from "react";
import { layOut } from "./lay-out.ts";
import { type Layout, rebind } from "./layout.ts";
import type { DrawnPlan } from "./level-reader.ts";
import { columnsFor } from "./recorded-rows.ts";

/** A layout together with the plan that it is of: while the next one is made, the last pair stays on screen. */
export interface LaidOut {
  plan: DrawnPlan;
  layout: Layout;
}

/** Lays a plan out, once for each structure; statuses do not move anything. Undefined until the first is ready. */
export function useLayout(plan: DrawnPlan): LaidOut | undefined {
  const width = useStore((state) => state.width);
  const columns = plan.level.recorded ? columnsFor(width) : 0;
  const { data, error } = useQuery({
    queryKey: ["plan-layout", plan.key, columns],
    queryFn: async ({ signal }): Promise<LaidOut> => ({ plan, layout: await layOut(plan.level, columns, signal) }),
    enabled: width > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (error) throw error;
  // Another plan of the same structure has the same layout, with values of its own.
  return useMemo(
    () =>
      data && data.plan !== plan && data.plan.key === plan.key
        ? { plan, layout: rebind(data.layout, plan.level) }
        : data,
    [data, plan],
  );
}
