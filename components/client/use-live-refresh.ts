"use client";

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { SessionEvent } from "@/lib/session/event.ts";
import { type Connection, subscribeLive } from "./live.ts";
import { refetchAfterChange } from "./refetch-after-change.ts";
import { throttle } from "./throttle.ts";

interface LiveRefresh {
  /** The query to refresh. */
  keys: readonly QueryKey[];
  /** Minimum time between two refreshes, ms. */
  pace: number;
  /** The conversation whose events count; undefined for all, null for none. */
  conversationId?: string | null;
  /** Which events count; undefined for all. */
  concerns?: (event: SessionEvent) => boolean;
}

/** Refreshes queries after matching events, and after a reconnect, because events were missed before. */
export function useLiveRefresh({ keys, pace, conversationId, concerns = () => true }: LiveRefresh): void {
  const queries = useQueryClient();
  const readKeys = useEffectEvent(() => {
    for (const key of keys) void refetchAfterChange(queries, key);
  });
  const isConcerned = useEffectEvent(concerns);
  // The outside system is the stream.
  useEffect(() => {
    if (conversationId === null) return;
    const refresh = throttle(() => readKeys(), pace);
    const unsubscribe = subscribeLive(conversationId === undefined ? {} : { conversationId }, {
      onEvents: (events) => events.some((event) => isConcerned(event)) && refresh.call(),
      onConnection: (state: Connection) => state === "live" && refresh.call(),
    });
    return () => {
      unsubscribe();
      refresh.cancel();
    };
  }, [conversationId, pace]);
}
