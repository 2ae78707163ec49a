"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { DialogGraph } from "./dialog-graph.ts";

/** The main graph's own drawing (D1). It is part of the program: fetched once. */
export function useDialogGraph(): UseQueryResult<DialogGraph> {
  return useQuery({
    queryKey: ["dialog-graph"],
    queryFn: ({ signal }) => callApi<DialogGraph>("/api/dialog/graph", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
