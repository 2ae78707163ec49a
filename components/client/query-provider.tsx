"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiProblem } from "./api.ts";

/** What the stream does not change stays fresh for this long, ms: live pages learn of news by events, not by age. */
const STALE_AFTER = 30_000;

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER,
        refetchOnWindowFocus: false,
        // A server on this machine answers with or without a network.
        networkMode: "always",
        // A refusal stays a refusal; only what may pass by itself is tried again.
        retry: (failures, error) => failures < 2 && !(error instanceof ApiProblem && error.status < 500),
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** One cache of the server's answers for the whole console. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
