"use client";

import { useQuery } from "@tanstack/react-query";
import { sessionSource } from "@/components/replay/load-session.ts";
import { decodeTimeline } from "@/lib/session/timeline/timeline.ts";
import { rowsKey } from "../queries.ts";

/** A slim row for each step of a session. */
export function useRows(id: string) {
  return useQuery({
    queryKey: rowsKey(id),
    queryFn: async ({ signal }) => decodeTimeline(await sessionSource(id).timeline(signal)),
  });
}
