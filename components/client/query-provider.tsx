"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiProblem } from "./api.ts";

/** How long a response stays fresh, ms. Live pages are refreshed by events, not by age. */
const STALE_AFTER = 30_000;

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER,
        refetchOnWindowFocus: false,
        // A server on this machine can be reached without a network.
        networkMode: "always",
        // Only errors that may be temporary are retried.
        retry: (failures, error) => failures < 2 && !(error instanceof ApiProblem && error.status < 500),
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** The console's query cache. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
