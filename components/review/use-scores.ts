"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import type { Score, ScoreTarget, ScoreValue } from "@/lib/scores/score.ts";

/** A score that a person gives. */
export interface GivenScore extends ScoreTarget {
  name: string;
  value: ScoreValue;
  comment: string;
}

/** The scores of a conversation, and their mutations. They have no events: they are refetched when the window is focused. */
export function useScores(conversationId: string) {
  const address = `/api/conversations/${encodeURIComponent(conversationId)}/scores`;
  const client = useQueryClient();
  const queryKey = ["scores", conversationId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi<{ items: Score[] }>(address, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const onSuccess = () => refetchAfterChange(client, queryKey);
  const give = useMutation({
    mutationFn: ({ seq, run_id, call_id, name, value, comment }: GivenScore) => {
      const target = {
        ...(seq !== null && { seq }),
        ...(run_id !== null && { run_id }),
        ...(call_id !== null && { call_id }),
      };
      const body = { conversation_id: conversationId, ...target, name, value, comment, source: "person" };
      return sendApi("/api/scores", { method: "POST", body });
    },
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (id: string) => sendApi(`${address}/${encodeURIComponent(id)}`, { method: "DELETE" }),
    onSuccess,
  });
  return {
    all: data?.items ?? NONE,
    give: give.mutate,
    remove: remove.mutate,
    saving: give.isPending || remove.isPending,
    failure: give.error?.message ?? remove.error?.message ?? null,
  };
}

const NONE: readonly Score[] = [];
