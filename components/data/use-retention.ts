"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { RetentionState } from "@/lib/privacy/retention.ts";
import { RETENTION_KEY } from "./data-keys.ts";

/** How long conversations are kept, and what is next to be removed. */
export function useRetention() {
  return useQuery({
    queryKey: RETENTION_KEY,
    queryFn: ({ signal }) => callApi<RetentionState>("/api/retention", { signal }),
  });
}
