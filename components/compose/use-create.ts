"use client";

import { useMutation } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";

interface NewConversation {
  /** Chosen by the client: creating it again has no effect. */
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
