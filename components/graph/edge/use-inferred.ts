"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { addressOf, callApi } from "@/components/client/api.ts";
import { setParam } from "@/components/selection/set-params.ts";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import type { InferredEdges } from "@/lib/api/shapes.ts";
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
  /** They are fetched for the first time. */
  loading: boolean;
  shown: boolean;
  toggle(): void;
}

/** The calls whose edges are shown. */
interface Shown {
  /** Null for all runs. */
  run: string | null;
  /** Their number: with more calls the edges are fetched again. */
  calls: number;
}

/** Fetches which earlier results and messages the shown recorded calls used (E15); nothing for null. */
export function useInferred(of: Shown | null): Inferred {
  const store = useStudioStore();
  const conversationId = useStudio((state) => state.conversationId);
  const last = useStudio((state) => state.last);
  const shown = useSearchParams().get(NAME) !== OFF;
  const isAsked = of !== null;
  const run = of?.run ?? null;
  const calls = of?.calls ?? 0;
  const { data, isPending } = useQuery({
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
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data } }) => (data && last > data.last && calls !== data.calls ? EVERY : false),
    structuralSharing: false,
    retry: false,
  });
  const edges = (isAsked && data?.edges) || NONE;
  const isLoading = isAsked && isPending;
  return useMemo(
    () => ({
      edges: shown ? edges : NONE,
      any: edges.size > 0,
      loading: isLoading,
      shown,
      toggle: () => setParam(NAME, shown ? OFF : ""),
    }),
    [edges, isLoading, shown],
  );
}
