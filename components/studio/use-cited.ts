"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { Ref } from "@/lib/session/session.ts";
import { citedValue } from "./cited.ts";

/** The state of loading a large value. */
export interface Cited {
  value: Json | undefined;
  loading: boolean;
  failed: boolean;
  load(): void;
}

/** A value over 16 kB (E8), fetched on demand and cached, because events are immutable. */
export function useCited({ $ref }: Ref): Cited {
  const { data, isFetching, isError, refetch } = useQuery({
    queryKey: ["cited", $ref],
    queryFn: () => fetchCited($ref),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { value: data, loading: isFetching, failed: isError, load: () => void refetch() };
}

async function fetchCited(address: string): Promise<Json> {
  const answer = await callApi<Json>(address.split("#")[0] ?? "");
  const value = citedValue(answer, address);
  if (value === undefined) throw new Error(`The answer has nothing at ${address}`);
  return value;
}
