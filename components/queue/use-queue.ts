"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { callApi, sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import type { Queue } from "@/lib/api/shapes.ts";
import type { QueueChange, QueueView } from "@/lib/queue/queue.ts";

const QUEUE_KEY = ["queue"] as const;

function readQueue(signal: AbortSignal): Promise<Queue> {
  return callApi("/api/queue", { signal });
}

/** The views' counts, the tags in use, and who can be assigned; undefined while unknown. */
export function useQueue(enabled = true): Queue | undefined {
  const { data } = useQuery({
    queryKey: QUEUE_KEY,
    queryFn: ({ signal }) => readQueue(signal),
    staleTime: 0,
    refetchOnWindowFocus: true,
    enabled,
  });
  return data;
}

/** Finds the view of the queue to begin with: the reader's own if there is anything in it, else one in which there is. */
export function useFirstView(): () => Promise<QueueView> {
  const client = useQueryClient();
  return useCallback(async () => {
    const { views } = await client.fetchQuery({ queryKey: QUEUE_KEY, queryFn: ({ signal }) => readQueue(signal) });
    return (["mine", "open", "resolved"] as const).find((view) => views[view] > 0) ?? "open";
  }, [client]);
}

/** Changes conversations in the queue. They have no events: what shows them is fetched again. */
export function useChangeQueue() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, change }: { ids: readonly string[]; change: QueueChange }) =>
      sendApi("/api/queue", { method: "POST", body: { ids, ...change } }),
    onSuccess: () =>
      Promise.all([
        refetchAfterChange(client, QUEUE_KEY),
        refetchAfterChange(client, ["conversations"]),
        refetchAfterChange(client, ["conversation"]),
      ]),
  });
}
