"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Bookmark } from "@/lib/session/bookmarks.ts";

/** The bookmarks of the conversation, and their mutations. */
export interface Bookmarks {
  all: readonly Bookmark[];
  /** Sets a bookmark, or changes its note. */
  put(seq: number, note: string | null): void;
  remove(seq: number): void;
  saving: boolean;
  /** The last error as a sentence; null for none. */
  failure: string | null;
}

type Change = { seq: number; note: string | null } | { seq: number; removed: true };

/** Bookmarks have no events: they are refetched when the window is focused. */
export function useBookmarks(): Bookmarks {
  const conversationId = useStudio((state) => state.conversationId);
  const address = `/api/conversations/${encodeURIComponent(conversationId)}/bookmarks`;
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ["bookmarks", conversationId],
    queryFn: ({ signal }) => callApi<{ items: Bookmark[] }>(address, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const change = useMutation({
    mutationFn: (one: Change) =>
      "removed" in one
        ? sendApi(`${address}/${one.seq}`, { method: "DELETE" })
        : sendApi(`${address}/${one.seq}`, { method: "PUT", body: one.note === null ? {} : { note: one.note } }),
    onSuccess: () => refetchAfterChange(client, ["bookmarks", conversationId]),
  });
  return {
    all: data?.items ?? NONE,
    put: (seq, note) => change.mutate({ seq, note }),
    remove: (seq) => change.mutate({ seq, removed: true }),
    saving: change.isPending,
    failure: change.error?.message ?? null,
  };
}

const NONE: readonly Bookmark[] = [];
