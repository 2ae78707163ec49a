"use client";

import { useMutation } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";

/** How the calls of a fork are carried out that calls its tools; the engine asks before what is risky in each (P22). */
export const REAL_MODES = ["confirm", "execute"] as const;
export type RealMode = (typeof REAL_MODES)[number];

/** Starts the plan that a fork has in hand. What becomes of it comes as events. */
export function useRunFork(forkId: string) {
  return useMutation({
    mutationFn: (mode: RealMode | "shadow") =>
      callApi<{ run_id: string }>(`/api/conversations/${encodeURIComponent(forkId)}/fork/run`, {
        method: "POST",
        body: { mode },
      }),
  });
}
