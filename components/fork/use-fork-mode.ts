"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import type { Conversation } from "@/lib/api/shapes.ts";
import type { ForkMode } from "@/lib/session/events/catalogue.ts";
import { forkModeKey } from "./queries.ts";

/** Whether a fork calls real tools; undefined while unknown. Refetched with each run. */
export function useForkMode(forkId: string, newestRun: string | null): ForkMode | undefined {
  const { data } = useQuery({
    queryKey: [...forkModeKey(forkId), newestRun],
    queryFn: async ({ signal }) =>
      (await callApi<Conversation>(`/api/conversations/${encodeURIComponent(forkId)}`, { signal })).fork_mode,
    placeholderData: (before) => before,
  });
  return data ?? undefined;
}

/** Switches a fork between real and simulated tools. */
export function useSetForkMode(forkId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (mode: ForkMode) =>
      callApi<Conversation>(`/api/conversations/${encodeURIComponent(forkId)}/fork/mode`, {
        method: "POST",
        body: { mode },
      }),
    onSettled: () => refetchAfterChange(queries, forkModeKey(forkId)),
  });
}
