"use client";

import { useQuery } from "@tanstack/react-query";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { entryAddress } from "../addresses.ts";
import { valueKey } from "../queries.ts";

/** The value of a version; undefined for a deletion. */
export interface VersionValue {
  value: Json | undefined;
}

/** A key's value at a version, fetched once, because versions are immutable. Null fetches nothing. */
export function useValue(agent: string, key: string, version: number | null) {
  return useQuery({
    queryKey: valueKey(agent, key, version ?? 0),
    queryFn: ({ signal }) => fetchValue(agent, key, version ?? 0, signal),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function fetchValue(agent: string, key: string, version: number, signal?: AbortSignal): Promise<VersionValue> {
  try {
    return { value: await callApi<Json>(`${entryAddress(agent, key)}/history/${version}`, { signal }) };
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return { value: undefined };
    throw error;
  }
}
