"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { subscribeLive } from "@/components/client/live.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { throttle } from "@/components/client/throttle.ts";
import { type ConversationPages, conversationsKey, countNew, fromHead, updateInPlace } from "./conversation-pages.ts";
import { FACETS_KEY } from "./filters/facets-key.ts";
import type { ListState } from "./filters/filters.ts";
import { fetchPage } from "./use-conversations.ts";

/** Minimum time between two refreshes, ms. */
const PACE = 1_000;

/**
 * Keeps the list up to date. At the top, the newest page is replaced; further down, rows are updated in place, and
 * `count` new ones are announced until `show` is called.
 */
export function useListUpdates(filters: ListState, atTop: () => boolean) {
  const queries = useQueryClient();
  const [count, setCount] = useState(0);
  const refreshNow = useRef<() => void>(null);

  // The outside system is the stream.
  useEffect(() => {
    const key = conversationsKey(filters);
    const gone = new AbortController();
    const refresh = async () => {
      // A page that is being fetched would overwrite what is merged now.
      if (queries.isFetching({ queryKey: key }) > 0) return news.call();
      const head = await fetchPage(filters, null, gone.signal);
      const known = queries.getQueryData<ConversationPages>(key);
      if (gone.signal.aborted || !known) return;
      const replace = atTop();
      setCount(replace ? 0 : countNew(known, head));
      queries.setQueryData(key, replace ? fromHead(head) : updateInPlace(known, head));
      await refetchAfterChange(queries, FACETS_KEY);
    };
    const news = throttle(refresh, PACE);
    refreshNow.current = news.now;
    const unsubscribe = subscribeLive(
      {},
      { onEvents: news.call, onConnection: (state) => state === "live" && news.call() },
    );
    return () => {
      unsubscribe();
      gone.abort();
      news.cancel();
      setCount(0);
    };
  }, [filters, queries, atTop]);

  const show = useCallback(() => refreshNow.current?.(), []);
  return { count, show };
}
