"use client";

import { useQuery } from "@tanstack/react-query";
import { sessionSource } from "@/components/replay/load-session.ts";
import { rowsKey } from "./queries.ts";

/** A slim row for each step of a session. */
export function useRows(id: string) {
  return useQuery({ queryKey: rowsKey(id), queryFn: ({ signal }) => sessionSource(id).timeline(signal) });
}
