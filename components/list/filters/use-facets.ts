"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Facets } from "@/lib/api/shapes.ts";
import { FACETS_KEY } from "./facets-key.ts";

/** What filters can be set to, and how many conversations have each status. */
export function useFacets(): Facets | undefined {
  return useQuery({
    queryKey: FACETS_KEY,
    queryFn: ({ signal }) => callApi<Facets>("/api/facets", { signal }),
    // The stream tells when it changes.
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
