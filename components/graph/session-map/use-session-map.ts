"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { callApi } from "@/components/client/api.ts";
import { conversationAddress } from "@/components/replay/first-timeline.ts";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import { MapBuilder, type SessionMap } from "@/lib/session/map/session-map.ts";

interface Loaded {
  builder: MapBuilder;
  map: SessionMap;
  /** The step at which it was loaded; what follows was live. */
  until: number;
}

/** The map of the whole session, which live events continue. */
export function useSessionMap(): { map: SessionMap | null; until: number; failed: boolean; retry(): void } {
  const conversationId = useStudio((state) => state.conversationId);
  const last = useStudio((state) => state.last);
  const store = useStudioStore();
  const client = useQueryClient();
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ["session-map", conversationId],
    queryFn: async ({ signal }): Promise<Loaded> => {
      const map = await callApi<SessionMap>(`${conversationAddress(conversationId)}/map`, { signal });
      return { builder: new MapBuilder(map), map, until: map.last };
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });

  // The outside system is the stream: its events arrive in the studio's store.
  useEffect(() => {
    if (!data || isFetching || last <= data.map.last) return;
    const events = store.getState().eventsAfter(data.map.last);
    if (!events) {
      void refetch();
      return;
    }
    for (const event of events) data.builder.add(event);
    client.setQueryData<Loaded>(["session-map", conversationId], { ...data, map: data.builder.map() });
  }, [data, isFetching, last, store, client, conversationId, refetch]);

  return { map: data?.map ?? null, until: data?.until ?? 0, failed: isError, retry: () => void refetch() };
}
