"use client";

import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { sendApi } from "@/components/client/api.ts";
import { readAgain } from "@/components/client/read-again.ts";
import { entryAddress, memoryAddress } from "../addresses.ts";
import { memoryUser } from "../keeper.ts";
import { historyKey } from "../queries.ts";

interface Write {
  /** JSON. */
  text: string;
  /** The version that it takes the place of; null: there must be none. */
  over: number | null;
}

const writeKey = (agent: string, key: string) => ["agent-state-write", agent, key] as const;

/**
 * Writes a value if it is still what the writer believes (E12), and gives the version that it became. A memory goes
 * where it is checked against its rules (M2). A version that came meanwhile is an `ApiProblem` with status 412.
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
    // Saved or refused, there is a version that this page does not know.
    onSettled: () => readAgain(queries, historyKey(agent, key)),
  });
}

/** Deletes a value if it is still at the version that the reader has before them. */
export function useDelete(agent: string, key: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: writeKey(agent, key),
    mutationFn: (version: number) =>
      sendApi(entryAddress(agent, key), { method: "DELETE", headers: { "if-match": `"${version}"` } }),
    onSettled: () => readAgain(queries, historyKey(agent, key)),
  });
}

/** Whether this page is writing the key just now. */
export function useIsWriting(agent: string, key: string): boolean {
  return useIsMutating({ mutationKey: writeKey(agent, key) }) > 0;
}
