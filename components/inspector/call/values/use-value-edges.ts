"use client";

import { useQuery } from "@tanstack/react-query";
import { addressOf, callApi } from "@/components/client/api.ts";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import type { InferredEdges } from "@/lib/api/shapes.ts";
import type { InferredEdge } from "@/lib/session/find/inferred-edges.ts";
import { planKey } from "@/lib/session/keys.ts";
import type { Session } from "@/lib/session/session.ts";

/** Minimum time between two fetches while calls run, ms. */
const EVERY = 1_000;
const NONE: readonly InferredEdge[] = [];

/** The inferred edges of all runs: a value may be used in a later one (E15). */
export function useValueEdges(): readonly InferredEdge[] {
  const store = useStudioStore();
  const conversationId = useStudio((state) => state.conversationId);
  const last = useStudio((state) => state.last);
  const calls = useStudio((state) => state.session.calls.size);
  const isRecorded = useStudio((state) => hasRecordedCall(state.session));
  const { data } = useQuery({
    queryKey: ["inferred-edges", conversationId, "all"],
    queryFn: async ({ signal }) => {
      // Calls recorded during the fetch may be missing in it.
      const asked = { last: store.getState().last, calls: store.getState().session.calls.size };
      const address = addressOf(`/api/conversations/${encodeURIComponent(conversationId)}/inferred-edges`, {});
      const { items } = await callApi<InferredEdges>(address, { signal });
      return { ...asked, items };
    },
    enabled: isRecorded,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data } }) => (data && last > data.last && calls !== data.calls ? EVERY : false),
    structuralSharing: false,
    retry: false,
  });
  return data?.items ?? NONE;
}

/** Whether a call has no plan: only these have inferred edges. */
function hasRecordedCall({ calls, plans }: Session): boolean {
  for (const { run_id, iteration } of calls.values()) if (!plans.has(planKey(run_id, iteration))) return true;
  return false;
}
