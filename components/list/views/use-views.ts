"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import type { ListView, ListViews } from "@/lib/api/shapes.ts";

const VIEWS_KEY = ["views"] as const;

/** The reader's views of the list and those that are shared; undefined while unknown. */
export function useViews(enabled = true): ListViews | undefined {
  return useQuery({
    queryKey: VIEWS_KEY,
    queryFn: ({ signal }) => callApi<ListViews>("/api/views", { signal }),
    staleTime: 60_000,
    enabled,
  }).data;
}

/** A change of the views: without `id` a new one is saved, with null as its content one is deleted. */
interface ViewChange {
  id?: string;
  view: Pick<ListView, "name" | "query" | "shared"> | null;
}

export function useChangeViews() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, view }: ViewChange) =>
      id === undefined
        ? sendApi("/api/views", { method: "POST", body: view })
        : sendApi(`/api/views/${encodeURIComponent(id)}`, view ? { method: "PUT", body: view } : { method: "DELETE" }),
    onSuccess: () => refetchAfterChange(client, VIEWS_KEY),
  });
}
