"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Conversation } from "@/lib/api/shapes.ts";

/** A conversation's name: its title, the first words of its user, or its id. */
export function nameOf({ title, subject, id }: Pick<Conversation, "title" | "subject" | "id">): string {
  return title ?? subject ?? id;
}

/** The name of another conversation; its id while unknown or when it does not exist. */
export function useNameOf(id: string): string {
  const { data } = useQuery({
    queryKey: ["conversation-name", id],
    queryFn: async ({ signal }) =>
      nameOf(await callApi<Conversation>(`/api/conversations/${encodeURIComponent(id)}`, { signal })),
  });
  return data ?? id;
}
