"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { callApi } from "@/components/client/api.ts";
import { useLiveRefresh } from "@/components/client/use-live-refresh.ts";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import type { View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";

/** A run writes many events a second; who reads before deciding is content with this pace, ms. */
const PACE = 2_000;

/** The session in which something is asked: as it stands while it waits, else as it stood when it was decided. */
export function useSession({ conversation_id, decided_seq }: ListedConfirmation) {
  const waits = decided_seq === null;
  const { data, isError, refetch } = useQuery({
    queryKey: ["session", conversation_id, decided_seq],
    queryFn: ({ signal }) =>
      callApi<View>(`/api/conversations/${encodeURIComponent(conversation_id)}/view`, {
        query: { at: decided_seq },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    // Being decided changes little of what is shown: it stays until the step is there.
    placeholderData: (before, query) => (query?.queryKey[1] === conversation_id ? before : undefined),
  });

  useLiveRefresh({
    keys: [["session", conversation_id, null]],
    pace: PACE,
    conversationId: waits ? conversation_id : null,
  });
  const session = useMemo(() => data && fromView(data), [data]);
  return { session, failed: isError, retry: () => void refetch() };
}
