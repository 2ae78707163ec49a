"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { View } from "@/lib/session/session.ts";
import { viewKey } from "./queries.ts";

/** A session at a step; null for its end. Without an id nothing is fetched. */
export function useView(id: string | null, at: number | null = null) {
  return useQuery({
    queryKey: viewKey(id ?? "", at),
    queryFn: ({ signal }) =>
      callApi<View>(`/api/conversations/${encodeURIComponent(id ?? "")}/view`, { query: { at }, signal }),
    enabled: id !== null,
  });
}
