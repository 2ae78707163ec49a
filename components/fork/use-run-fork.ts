"use client";

import { useMutation } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";

/** From what does nothing to what does all; the engine asks before what is risky in each of them (P22). */
export const FORK_MODES = ["confirm", "shadow", "execute"] as const;
export type ForkMode = (typeof FORK_MODES)[number];

/** Starts the plan that a fork has in hand. What becomes of it comes as events. */
export function useRunFork(forkId: string) {
  return useMutation({
    mutationFn: (mode: ForkMode) =>
      callApi<{ run_id: string }>(`/api/conversations/${encodeURIComponent(forkId)}/fork/run`, {
        method: "POST",
        body: { mode },
      }),
  });
}
