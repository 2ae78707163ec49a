"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { subscribeLive } from "@/components/client/live.ts";
import { readAgain } from "@/components/client/read-again.ts";
import { FACETS_KEY } from "@/components/list/facets-key.ts";
import { throttle } from "@/components/list/throttle.ts";
import { useFacets } from "@/components/list/use-facets.ts";
import type { Facets } from "@/lib/api/shapes.ts";

/** At most one count in this time, ms. */
const PACE = 1_000;

/** What changes one of the counts. */
const COUNTED = /^(confirmation\.|manager\.alerted$|conversation\.handed_back$)/;

/** How many decisions are awaited and managers called on the whole server, live; undefined until that is known. */
export function useAwaiting(): Pick<Facets, "awaiting" | "alerts"> | undefined {
  const queries = useQueryClient();
  // The outside system is the stream.
  useEffect(() => {
    const count = throttle(() => void readAgain(queries, FACETS_KEY), PACE);
    const unsubscribe = subscribeLive(
      {},
      {
        onEvents: (events) => events.some(({ type }) => COUNTED.test(type)) && count.call(),
        onConnection: (state) => state === "live" && count.call(),
      },
    );
    return () => {
      unsubscribe();
      count.cancel();
    };
  }, [queries]);
  return useFacets();
}
