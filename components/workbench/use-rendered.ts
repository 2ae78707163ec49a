"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import type { RenderedPrompt } from "@/lib/prompt/prompt.ts";
import { RENDERED_KEY } from "./queries.ts";
import { type Fault, faultsOf, type RenderRequest } from "./render-request.ts";
import { useSettled } from "./use-settled.ts";

/** Shorter than between two words, so that the result comes as one types, ms. */
const REST = 150;
/** How often a server that does not answer is asked again, ms. */
const AGAIN = 3_000;

/** A prompt, and the limit of its history in tokens; null for none. */
interface Limited extends RenderedPrompt {
  limit: number | null;
}

/** What became of the template. */
export interface Rendered {
  /** The newest prompt there is: while the next one comes, or cannot come, it is the former. */
  prompt: Limited | null;
  /** The prompt is not, or not yet, that of the template. */
  stale: boolean;
  /** What keeps the server from rendering it. */
  faults: readonly Fault[];
  /** The server does not answer, or fails; it is asked again and again. */
  failure: Error | null;
}

/**
 * Renders a prompt when the request has rested; the newest request's answer wins. Null asks for nothing. The request is
 * the same object while it says the same.
 */
export function useRendered(request: RenderRequest | null): Rendered {
  const settled = useSettled(request, REST);
  const { data, error, isFetching } = useQuery({
    queryKey: [...RENDERED_KEY, settled],
    queryFn: async ({ signal }): Promise<Limited> => {
      const prompt = await callApi<RenderedPrompt>("/api/prompts/render", { method: "POST", body: settled, signal });
      return { ...prompt, limit: settled?.limits.max_tokens ?? null };
    },
    enabled: settled !== null,
    // Hardly a template is seen twice, and each brings a prompt.
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

/** The server will say the same again. */
function isRefusal(error: Error | null): error is ApiProblem {
  return error instanceof ApiProblem && error.status < 500;
}
