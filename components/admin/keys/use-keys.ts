"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import { readAgain } from "@/components/client/read-again.ts";
import type { Scope } from "@/lib/access/caller.ts";
import type { ApiKey } from "@/lib/api/shapes.ts";
import { KEYS_KEY } from "./keys-key.ts";

/** The keys of programs, the newest first. */
export function useKeys() {
  return useQuery({
    queryKey: KEYS_KEY,
    queryFn: async ({ signal }) => (await callApi<{ items: ApiKey[] }>("/api/keys", { signal })).items,
  });
}

/** What a key is to be. */
export interface NewKey {
  name: string;
  scopes: Scope[];
  /** ISO 8601; null: it does not end by itself. */
  expires_at: string | null;
}

/** Makes a key. The answer alone has it whole. */
export function useMakeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewKey) => callApi<ApiKey & { key: string }>("/api/keys", { method: "POST", body }),
    onSuccess: () => readAgain(queries, KEYS_KEY),
  });
}

/** Revokes a key; whatever uses it is cut off at once. */
export function useRevokeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => sendApi(`/api/keys/${encodeURIComponent(id)}`, { method: "DELETE" }),
    onSuccess: () => readAgain(queries, KEYS_KEY),
  });
}
