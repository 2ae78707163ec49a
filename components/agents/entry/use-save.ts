"use client";

import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { entryAddress, memoryAddress } from "../addresses.ts";
import { historyKey } from "../queries.ts";
import { memoryUser } from "../state-owner.ts";

interface Write {
  /** JSON. */
  text: string;
  /** The version that it replaces; null to create the key. */
  over: number | null;
}

const writeKey = (agent: string, key: string) => ["agent-state-write", agent, key] as const;

/**
 * Saves a value if the stored version is the expected one (E12), and returns the new version. A memory is sent to the
 * endpoint that validates it (M2). A conflict is an `ApiProblem` with status 412.
 */
export function useSave(agent: string, key: string) {
  const queries = useQueryClient();
  const user = memoryUser(agent, key);
  return useMutation({
    mutationKey: writeKey(agent, key),
    mutationFn: async ({ text, over }: Write) => {
      const response = await sendApi(user === null ? entryAddress(agent, key) : memoryAddress(user), {
        method: "PUT",
        text,
        headers: over === null ? { "if-none-match": "*" } : { "if-match": `"${over}"` },
      });
      return Number(response.headers.get("etag")?.replaceAll('"', ""));
    },
    // Saved or refused, the server has a version that is not loaded.
    onSettled: () => refetchAfterChange(queries, historyKey(agent, key)),
  });
}

/** Deletes a value if the stored version is the one on screen. */
export function useDelete(agent: string, key: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: writeKey(agent, key),
    mutationFn: (version: number) =>
      sendApi(entryAddress(agent, key), { method: "DELETE", headers: { "if-match": `"${version}"` } }),
    onSettled: () => refetchAfterChange(queries, historyKey(agent, key)),
  });
}

/** Whether this page is saving the key. */
export function useIsWriting(agent: string, key: string): boolean {
  return useIsMutating({ mutationKey: writeKey(agent, key) }) > 0;
}
