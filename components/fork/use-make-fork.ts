"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Conversation } from "@/db/repositories.ts";
import type { ForkBody } from "./fork-draft.ts";
import { forksKey } from "./queries.ts";

/** Makes a fork of a conversation (E9). Nothing runs in it. */
export function useMakeFork(conversationId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ForkBody) =>
      callApi<Conversation>(`/api/conversations/${encodeURIComponent(conversationId)}/fork`, { method: "POST", body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: forksKey(conversationId) }),
  });
}
