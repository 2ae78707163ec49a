"use client";

import { type UseMutationOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";

/** What people add to a conversation, and its mutations. It has no events: it is refetched when the window is focused. */
export function useReview<Item, Added>(
  kind: "notes" | "scores",
  conversationId: string,
  add: NonNullable<UseMutationOptions<unknown, Error, Added>["mutationFn"]>,
) {
  const address = addressOf(kind, conversationId);
  const client = useQueryClient();
  const queryKey = [kind, conversationId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi<{ items: readonly Item[] }>(address, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const onSuccess = () => refetchAfterChange(client, queryKey);
  const adding = useMutation({ mutationFn: add, onSuccess });
  const removing = useMutation({
    mutationFn: (id: string) => sendApi(`${address}/${encodeURIComponent(id)}`, { method: "DELETE" }),
    onSuccess,
  });
  return {
    all: data?.items ?? NONE,
    add: adding.mutate,
    remove: removing.mutate,
    saving: adding.isPending || removing.isPending,
    failure: adding.error?.message ?? removing.error?.message ?? null,
  };
}

export function addressOf(kind: "notes" | "scores", conversationId: string): string {
  return `/api/conversations/${encodeURIComponent(conversationId)}/${kind}`;
}

const NONE: readonly never[] = [];
