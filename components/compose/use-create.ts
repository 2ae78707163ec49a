"use client";

import { useMutation } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";

interface NewConversation {
  /** Chosen here: asked for again under the same id, it is there once. */
  id: string;
  channel: string;
  user_id: string;
  agent_id?: string;
}

/** Creates a conversation. */
export function useCreate() {
  return useMutation({
    mutationFn: (body: NewConversation) => callApi<unknown>("/api/conversations", { method: "POST", body }),
  });
}
