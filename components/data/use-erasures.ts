"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import type { Erasure } from "@/lib/api/shapes.ts";
import { ERASURES_KEY } from "./data-keys.ts";

/** Poll interval while an erasure is running, ms. */
const LOOK_AGAIN = 1_000;

/** The erasures, newest first, polled while one is running. */
export function useErasures() {
  return useQuery({
    queryKey: ERASURES_KEY,
    queryFn: async ({ signal }) => (await callApi<{ items: Erasure[] }>("/api/erasures", { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ phase }) => phase !== "finished") ? LOOK_AGAIN : false),
  });
}

/** Requests an erasure. */
export function useErase() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { kind: Erasure["kind"]; id: string; reason?: string }) =>
      callApi<Erasure>("/api/erasures", { method: "POST", body }),
    onSuccess: () => refetchAfterChange(queries, ERASURES_KEY),
  });
}
