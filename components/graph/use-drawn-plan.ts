"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Plan, Session } from "@/lib/session/session.ts";
import type { InferredByCall } from "./edge/inferred-inputs.ts";
import { inSlices } from "./layout/in-slices.ts";
import { createLevelReader, type DrawnPlan, structureOf } from "./level-reader.ts";
import { readProposed, type Toggled } from "./plan-level.ts";

/** Above this number of calls a plan is read in slices: 1,000 at once would block the page for 100 ms. */
const LARGE = 300;

interface Looked {
  session: Session;
  plan: Plan | null;
  instance: string;
  toggled: Toggled;
  inferred: InferredByCall;
}

/** The current plan as a level; a large one is null until it has been read. */
export function useDrawnPlan({ session, plan, instance, toggled, inferred }: Looked): DrawnPlan | null {
  const [read] = useState(() => createLevelReader({ collapse: true }));
  const large = plan && !plan.recorded && plan.calls.length > LARGE ? plan : null;
  const structure = large && ["large", instance, ...toggled, "", structureOf(session, large)].join("\u0001");
  const { data, error } = useQuery({
    queryKey: ["plan-level", structure],
    queryFn: async ({ signal }): Promise<DrawnPlan> => {
      if (!large || structure === null) throw new Error("A plan that is not large is read at once");
      const scope = { session, instance, toggled, collapse: true };
      return { level: await inSlices(readProposed(large, scope), signal), key: structure };
    },
    enabled: structure !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    retry: false,
  });
  if (error) throw error;
  if (!plan) return null;
  return large ? (data ?? null) : read(session, plan, instance, toggled, inferred);
}
