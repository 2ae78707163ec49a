"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import type { Scope } from "@/lib/access/caller.ts";
import type { ApiKey } from "@/lib/api/shapes.ts";
import { KEYS_KEY } from "./keys-key.ts";

/** The API keys, newest first. */
export function useKeys() {
  return useQuery({
    queryKey: KEYS_KEY,
    queryFn: async ({ signal }) => (await callApi<{ items: ApiKey[] }>("/api/keys", { signal })).items,
  });
}

/** The key to create. */
export interface NewKey {
  name: string;
  scopes: Scope[];
  /** ISO 8601; null for never. */
  expires_at: string | null;
}

/** Creates a key. Only this answer contains the secret. */
export function useMakeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewKey) => callApi<ApiKey & { key: string }>("/api/keys", { method: "POST", body }),
    onSuccess: () => refetchAfterChange(queries, KEYS_KEY),
  });
}

/** Revokes a key. Requests with it are refused immediately. */
export function useRevokeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => sendApi(`/api/keys/${encodeURIComponent(id)}`, { method: "DELETE" }),
    onSuccess: () => refetchAfterChange(queries, KEYS_KEY),
  });
}
