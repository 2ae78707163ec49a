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
/** While calls go on, what they used is asked for so often at most, ms. */
const EVERY = 1_000;
const NONE: InferredByCall = new Map();

/** The edges that nobody declared, and the switch that shows them; it stands in the address. */
export interface Inferred {
  /** None where they are switched off. */
  edges: InferredByCall;
  /** Whether there are any to be shown. */
  any: boolean;
  shown: boolean;
  toggle(): void;
}

/** What the looked-at calls used of earlier results and messages, where nobody planned them (E15). */
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
      // What is recorded while the answer is on its way may be missing in it.
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
