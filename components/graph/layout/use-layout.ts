"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useStore } from "@xyflow/react";
import { useMemo, useState } from "react";
import type { DrawnPlan } from "../level-reader.ts";
import type { PlanIterations } from "../plan-iterations.ts";
import { createLayOut } from "./lay-out.ts";
import { type Layout, type PlacedNode, rebind, withSameParts } from "./layout.ts";
import { placeOnMerged, removedCallsOn } from "./merged-layout.ts";
import { columnsFor } from "./recorded-rows.ts";

/** A layout and its plan: while the next one is computed, the last pair stays on screen. */
export interface LaidOut {
  plan: DrawnPlan;
  layout: Layout;
  /** Positions of calls that the previous iteration had and this plan does not. */
  gone: readonly PlacedNode[];
}

/**
 * Lays out a plan once per structure; statuses do not change it. Undefined until the first one is ready. With a
 * `ground`, calls have its positions. `name` identifies a growing plan.
 */
export function useLayout(
  plan: DrawnPlan,
  { ground, changes }: PlanIterations,
  name: string = plan.key,
): LaidOut | undefined {
  const laidOut = useOwnLayout(ground ?? plan, name);
  return useMemo(
    () =>
      ground && laidOut?.plan === ground
        ? {
            plan,
            layout: placeOnMerged(laidOut.layout, plan.level),
            gone: removedCallsOn(laidOut.layout, changes?.removed ?? []),
          }
        : laidOut,
    [laidOut, ground, changes, plan],
  );
}

function useOwnLayout(plan: DrawnPlan, name: string): LaidOut | undefined {
  const [layOut] = useState(createLayOut);
  const width = useStore((state) => state.width);
  const columns = plan.level.recorded ? columnsFor(width) : 0;
  const { data, error } = useQuery({
    queryKey: ["plan-layout", plan.key, columns],
    queryFn: async ({ signal }): Promise<LaidOut> => ({
      plan,
      layout: await layOut(name, plan.level, columns, signal),
      gone: [],
    }),
    enabled: width > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    retry: false,
  });
  if (error) throw error;
  const [keepParts] = useState(partKeeper);
  // Another plan of the same structure has the same layout with its own values.
  return useMemo(() => {
    if (!data) return undefined;
    const isRebound = data.plan !== plan && data.plan.key === plan.key;
    return keepParts(isRebound ? { plan, layout: rebind(data.layout, plan.level), gone: [] } : data);
  }, [data, plan, keepParts]);
}

/** Creates a function that takes over what is as it was in the layout before. */
function partKeeper(): (next: LaidOut) => LaidOut {
  let last: Layout | null = null;
  return (next) => {
    const layout = last && last !== next.layout ? withSameParts(next.layout, last) : next.layout;
    last = layout;
    return layout === next.layout ? next : { ...next, layout };
  };
}
