"use client";

import { type RefObject, useEffect } from "react";
import { keepPlace, readPlace } from "./list-place.ts";

interface Returned {
  ids: readonly string[];
  scroller: RefObject<HTMLElement | null>;
  hasMore: boolean;
  loadingMore: boolean;
  onMore: () => void;
  /** The conversation that was looked at last is loaded. */
  onReturn: (id: string) => void;
}

/** Brings the list back to the conversation that was looked at last, once, loading what it takes to reach it. */
export function useListPlace({ ids, scroller, hasMore, loadingMore, onMore, onReturn }: Returned): void {
  // The outside system is the tab's memory, and the scrolled element.
  useEffect(() => {
    const place = readPlace();
    if (!place || place.at === null || place.query !== window.location.search) return;
    const index = ids.indexOf(place.at);
    if (index === -1 && hasMore && ids.length < place.ids.length) {
      if (!loadingMore) onMore();
      return;
    }
    keepPlace({ ...place, at: null });
    if (index === -1) return;
    scroller.current?.scrollTo({ top: place.top });
    onReturn(place.at);
  }, [ids, scroller, hasMore, loadingMore, onMore, onReturn]);
}
