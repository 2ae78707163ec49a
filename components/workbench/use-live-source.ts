"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Connection, subscribeLive } from "@/components/client/live.ts";
import { readAgain } from "@/components/client/read-again.ts";
import { throttle } from "@/components/list/throttle.ts";
import { conversationKey, RENDERED_KEY } from "./queries.ts";

/** At most one look at the server in this time, ms. */
const PACE = 1_000;

/** Keeps up with the conversation that a prompt is made of, and asks anew when the connection is back. */
export function useLiveSource(conversation: string | null): void {
  const queries = useQueryClient();
  // The outside system is the stream.
  useEffect(() => {
    if (conversation === null) return;
    const news = throttle(() => {
      void readAgain(queries, conversationKey(conversation));
      void readAgain(queries, RENDERED_KEY);
    }, PACE);
    // What came before the connection was there, nobody told of.
    const onConnection = (state: Connection) => state === "live" && news.call();
    const unsubscribe = subscribeLive({ conversationId: conversation }, { onEvents: news.call, onConnection });
    return () => {
      unsubscribe();
      news.cancel();
    };
  }, [conversation, queries]);
}
