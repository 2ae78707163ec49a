"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { addressOf, callApi } from "@/components/client/api.ts";
import { setParam } from "@/components/selection/set-params.ts";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import type { InferredEdges } from "@/lib/api/shapes.ts";
import type { Plan } from "@/lib/session/session.ts";
import { byCall, type InferredByCall } from "./inferred-inputs.ts";

const NAME = "inferred";
const OFF = "off";
/** Minimum time between two fetches while calls run, ms. */
const EVERY = 1_000;
const NONE: InferredByCall = new Map();

/** The inferred edges and their switch, which is in the address. */
export interface Inferred {
  /** None when switched off. */
  edges: InferredByCall;
  /** Whether there are any. */
  any: boolean;
  shown: boolean;
  toggle(): void;
}

/** Fetches which earlier results and messages the shown recorded calls used (E15). */
export function useInferred(plan: Plan | null): Inferred {
  const store = useStudioStore();
  const conversationId = useStudio((state) => state.conversationId);
  const last = useStudio((state) => state.last);
  const shown = useSearchParams().get(NAME) !== OFF;
  const run = plan?.recorded ? plan.run_id : null;
  const calls = plan?.calls.length ?? 0;
  const { data } = useQuery({
    queryKey: ["inferred-edges", conversationId, run],
    queryFn: async ({ signal }) => {
      // Calls recorded during the fetch may be missing in it.
      const asked = { last: store.getState().last, calls };
      const address = addressOf(`/api/conversations/${encodeURIComponent(conversationId)}/inferred-edges`, {
        run_id: run,
      });
      const { items } = await callApi<InferredEdges>(address, { signal });
      return { ...asked, edges: byCall(items) };
    },
    enabled: run !== null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data } }) => (data && last > data.last && calls !== data.calls ? EVERY : false),
    structuralSharing: false,
    retry: false,
  });
  const edges = (run !== null && data?.edges) || NONE;
  return useMemo(
    () => ({
      edges: shown ? edges : NONE,
      any: edges.size > 0,
      shown,
      toggle: () => setParam(NAME, shown ? OFF : ""),
    }),
    [edges, shown],
  );
}
