"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Prices } from "@/lib/session/prices.ts";

const NONE: Prices = {};

/** Model prices, fetched once. */
export function usePrices(): Prices {
  const { data } = useQuery({
    queryKey: ["prices"],
    queryFn: ({ signal }) => callApi<Prices>("/api/prices", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? NONE;
}
