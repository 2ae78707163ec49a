"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import type { RenderedPrompt } from "@/lib/prompt/prompt.ts";
import { RENDERED_KEY } from "./queries.ts";
import { type Fault, faultsOf, type RenderRequest } from "./render-request.ts";
import { useDebounced } from "./use-debounced.ts";

/** The debounce, ms: shorter than between two words. */
const REST = 150;
/** The retry interval while the server is unreachable, ms. */
const AGAIN = 3_000;

/** A prompt, and the history's limit in tokens; null for none. */
interface Limited extends RenderedPrompt {
  limit: number | null;
}

/** The state of rendering. */
export interface Rendered {
  /** The newest prompt; while the next one loads or fails, the previous. */
  prompt: Limited | null;
  /** The prompt is not of the current template. */
  stale: boolean;
  /** The server's error. */
  faults: readonly Fault[];
  /** The server is unreachable or fails; the request is retried. */
  failure: Error | null;
}

/**
 * Renders a prompt after the request has been stable for a moment; the newest response wins. Null requests nothing.
 * Equal requests are the same object.
 */
export function useRendered(request: RenderRequest | null): Rendered {
  const settled = useDebounced(request, REST);
  const { data, error, isFetching } = useQuery({
    queryKey: [...RENDERED_KEY, settled],
    queryFn: async ({ signal }): Promise<Limited> => {
      const prompt = await callApi<RenderedPrompt>("/api/prompts/render", { method: "POST", body: settled, signal });
      return { ...prompt, limit: settled?.limits.max_tokens ?? null };
    },
    enabled: settled !== null,
    // Prompts are not cached: a template is rarely rendered twice.
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.error && !isRefusal(state.error) ? AGAIN : false),
  });
  const [last, setLast] = useState<Limited | null>(null);
  if (data && data !== last) setLast(data);
  return {
    prompt: data ?? last,
    stale: !data || isFetching || settled !== request,
    faults: isRefusal(error) ? faultsOf(error) : [],
    failure: isRefusal(error) ? null : error,
  };
}

/** A refused request would be refused again. */
function isRefusal(error: Error | null): error is ApiProblem {
  return error instanceof ApiProblem && error.status < 500;
}
