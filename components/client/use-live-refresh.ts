"use client";

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { SessionEvent } from "@/lib/session/event.ts";
import { type Connection, subscribeLive } from "./live.ts";
import { readAgain } from "./read-again.ts";
import { throttle } from "./throttle.ts";

interface LiveRefresh {
  /** What is read again. */
  keys: readonly QueryKey[];
  /** At most once in this time, ms. */
  pace: number;
  /** The conversation whose events are heard; all where it is missing, none where it is null. */
  conversationId?: string | null;
  /** Which events call for it; all where it is missing. */
  concerns?: (event: SessionEvent) => boolean;
}

/** Reads queries again when events of the log concern them, and when the connection is back: nobody told what came before. */
export function useLiveRefresh({ keys, pace, conversationId, concerns = () => true }: LiveRefresh): void {
  const queries = useQueryClient();
  const readKeys = useEffectEvent(() => {
    for (const key of keys) void readAgain(queries, key);
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
