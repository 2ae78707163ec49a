"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { callApi } from "@/components/client/api.ts";
import { type ResolvedSelection, resolveSelection } from "@/components/selection/resolve-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";

/** The state at the pinned step, for the current run and instance. */
export interface PinnedState {
  /** Null while loading, or after an error. */
  shown: { looked: ResolvedSelection; state: Json } | null;
  /** The loading error; null for none. */
  failure: string | null;
  retry(): void;
}

/** Fetches the view of a step, which is immutable. */
export function usePinnedState(step: number): PinnedState {
  const conversationId = useStudio((state) => state.conversationId);
  const [{ run, instance }] = useSelection();
  const { data, error, refetch } = useQuery({
    queryKey: ["view", conversationId, step],
    queryFn: ({ signal }) =>
      callApi<View>(`/api/conversations/${encodeURIComponent(conversationId)}/view`, { query: { at: step }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const shown = useMemo(() => {
    if (!data) return null;
    const looked = resolveSelection(fromView(data), { run, iteration: null, instance });
    return { looked, state: looked.run?.state[looked.instance] ?? EMPTY };
  }, [data, run, instance]);
  return { shown, failure: error?.message ?? null, retry: () => void refetch() };
}

const EMPTY: Json = {};
