"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Run } from "@/lib/session/session.ts";
import { useStudio } from "../use-studio.ts";

/**
 * Whether a run is this server's, so that it can be cancelled and resumed; this does not change. False while unknown,
 * and for any step but the newest, because a replay is read-only.
 */
export function useOwnRun(run: Run | null): boolean {
  const following = useStudio((state) => state.following);
  const id = run?.id ?? "";
  const asked =
    following && id !== "" && (run?.status === "running" || run?.status === "waiting" || run?.status === "failed");
  const { data } = useQuery({
    queryKey: ["run", id],
    queryFn: () => callApi<{ own: boolean }>(`/api/runs/${encodeURIComponent(id)}`),
    enabled: asked,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return asked && data?.own === true;
}
