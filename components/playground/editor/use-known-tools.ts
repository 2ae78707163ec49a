"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { callApi } from "@/components/client/api.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { type KnownTools, knownTools, type ListedDelegate, type ListedTool } from "./toolbox.ts";

/** The query key of the delegates. */
export const DELEGATES_KEY = ["delegates"] as const;
export const TOOLS_KEY = ["tools"] as const;

const NONE: readonly never[] = [];

export interface Known extends KnownTools {
  /** The names of the server's tools: those that a delegate can use. */
  registered: readonly ListedTool[];
  listed: readonly ListedDelegate[];
}

/** The server's tools and delegates, and the plan's own tools. */
export function useKnownTools(own: readonly JsonObject[]): Known {
  const tools = useQuery({
    queryKey: TOOLS_KEY,
    queryFn: ({ signal }) => callApi<{ items: ListedTool[] }>("/api/tools", { signal }),
  });
  const delegates = useQuery({
    queryKey: DELEGATES_KEY,
    queryFn: ({ signal }) => callApi<{ items: ListedDelegate[] }>("/api/delegates", { signal }),
  });
  const registered = tools.data?.items ?? NONE;
  const listed = delegates.data?.items ?? NONE;
  return useMemo(() => ({ ...knownTools(registered, own, listed), registered, listed }), [registered, own, listed]);
}
