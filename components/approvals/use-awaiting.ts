"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { subscribeLive } from "@/components/client/live.ts";
import { FACETS_KEY } from "@/components/list/facets-key.ts";
import { throttle } from "@/components/list/throttle.ts";
import { useFacets } from "@/components/list/use-facets.ts";

/** At most one count in this time, ms. */
const PACE = 1_000;

/** How many decisions are awaited on the whole server, live; undefined until that is known. */
export function useAwaiting(): number | undefined {
  const queries = useQueryClient();
  // The outside system is the stream.
  useEffect(() => {
    const count = throttle(() => void queries.invalidateQueries({ queryKey: FACETS_KEY }), PACE);
    const unsubscribe = subscribeLive(
      {},
      {
        onEvents: (events) => events.some(({ type }) => type.startsWith("confirmation.")) && count.call(),
        onConnection: (state) => state === "live" && count.call(),
      },
    );
    return () => {
      unsubscribe();
      count.cancel();
    };
  }, [queries]);
  return useFacets()?.awaiting;
}
