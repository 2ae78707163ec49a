"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { callApi } from "@/components/client/api.ts";
import { readAgain } from "@/components/client/read-again.ts";
import type { Conversation } from "@/lib/api/shapes.ts";
import type { ForkBody } from "./fork-draft.ts";
import { forksKey } from "./queries.ts";

/** Makes a fork of a conversation (E9). Nothing runs in it. One that is given up while it is made leaves nothing. */
export function useMakeFork(conversationId: string) {
  const queries = useQueryClient();
  const controller = useRef<AbortController>(null);
  const making = useMutation({
    mutationFn: (body: ForkBody) => {
      controller.current = new AbortController();
      const { signal } = controller.current;
      const path = `/api/conversations/${encodeURIComponent(conversationId)}/fork`;
      return callApi<Conversation>(path, { method: "POST", body, signal });
    },
    onSuccess: () => readAgain(queries, forksKey(conversationId)),
  });
  const giveUp = () => {
    controller.current?.abort();
    making.reset();
  };
  return { ...making, giveUp };
}
