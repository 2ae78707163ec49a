"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import type { Judge } from "@/lib/api/shapes.ts";

export const JUDGES_KEY = ["judges"] as const;

export function useJudges() {
  return useQuery({
    queryKey: JUDGES_KEY,
    queryFn: ({ signal }) => callApi<{ items: Judge[] }>("/api/judges", { signal }),
    select: ({ items }) => items,
  });
}

/** What is written of a judge. */
export type GivenJudge = Omit<Judge, "today">;

export function useWriteJudge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, ...body }: GivenJudge) =>
      sendApi(`/api/judges/${encodeURIComponent(name)}`, { method: "PUT", body }),
    onSuccess: () => refetchAfterChange(client, JUDGES_KEY),
  });
}

export function useRemoveJudge(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => sendApi(`/api/judges/${encodeURIComponent(name)}`, { method: "DELETE" }),
    onSuccess: () => refetchAfterChange(client, JUDGES_KEY),
  });
}
