"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Facets } from "@/lib/api/shapes.ts";
import { FACETS_KEY } from "./facets-key.ts";

/** The values of filters, and the number of conversations by status. */
export function useFacets(): Facets | undefined {
  return useQuery({
    queryKey: FACETS_KEY,
    queryFn: ({ signal }) => callApi<Facets>("/api/facets", { signal }),
    // Invalidated by the stream.
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
