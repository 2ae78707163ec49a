"use client";

import { useMutation } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";

/**
 * Takes a conversation over, or hands it back (D11). What becomes of it comes as events, often before the answer, and the
 * button goes with it: `onDone` is called all the same.
 */
export function useHandOver(conversationId: string, onDone: () => void) {
  return useMutation({
    mutationFn: (way: "takeover" | "handback") =>
      callApi<unknown>(`/api/conversations/${encodeURIComponent(conversationId)}/${way}`, { method: "POST" }),
    onSuccess: onDone,
  });
}
