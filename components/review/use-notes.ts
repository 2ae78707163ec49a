"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import type { Note, NotePlace } from "@/lib/notes/note.ts";

/** The notes of a conversation, and their mutations. They have no events: they are refetched when the window is focused. */
export function useNotes(conversationId: string) {
  const address = `/api/conversations/${encodeURIComponent(conversationId)}/notes`;
  const client = useQueryClient();
  const queryKey = ["notes", conversationId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi<{ items: Note[] }>(address, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const onSuccess = () => refetchAfterChange(client, queryKey);
  const write = useMutation({
    mutationFn: ({ text, place }: { text: string; place: NotePlace }) =>
      sendApi(address, {
        method: "POST",
        body: { text, ...Object.fromEntries(Object.entries(place).filter(([, value]) => value !== null)) },
      }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (id: string) => sendApi(`${address}/${encodeURIComponent(id)}`, { method: "DELETE" }),
    onSuccess,
  });
  return {
    all: data?.items ?? NONE,
    write: write.mutate,
    remove: remove.mutate,
    saving: write.isPending,
    failure: write.error?.message ?? remove.error?.message ?? null,
  };
}

const NONE: readonly Note[] = [];
