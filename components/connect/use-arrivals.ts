"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { subscribeLive } from "@/components/client/live.ts";
import { type Arrival, gather, withNewest } from "./arrivals.ts";
import { fetchNewest, NEWEST_KEY } from "./newest-arrival.ts";

/** What arrives while the page is open, and what was the newest before. */
export function useArrivals(): Arrival[] {
  const queries = useQueryClient();
  const [arrivals, setArrivals] = useState<readonly Arrival[]>([]);
  const { data: newest = null } = useQuery({ queryKey: NEWEST_KEY, queryFn: ({ signal }) => fetchNewest(signal) });
  // The outside system is the stream.
  useEffect(
    () =>
      subscribeLive(
        {},
        {
          onEvents: (events) => setArrivals((before) => gather(before, events)),
          // What came while the page did not hear is not told again.
          onConnection: (connection) =>
            connection === "live" && void queries.invalidateQueries({ queryKey: NEWEST_KEY }),
        },
      ),
    [queries],
  );
  return withNewest(arrivals, newest);
}
