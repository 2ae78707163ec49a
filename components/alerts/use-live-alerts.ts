"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { subscribeLive } from "@/components/client/live.ts";
import { readAgain } from "@/components/client/read-again.ts";
import { throttle } from "@/components/list/throttle.ts";
import type { ListedAlert } from "@/lib/api/shapes.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { ALERTS_KEY } from "./alert-pages.ts";

/** At most one refresh in this time, ms. */
const PACE = 400;

/** What changes how a listed alert stands: who has its conversation, what it is called, and whether a run of it goes on. */
const CHANGES = /^(conversation\.|run\.(started|resumed|finished|failed|cancelled)$)/;

/** Keeps the list of alerts up to date while it is open. */
export function useLiveAlerts(items: readonly ListedAlert[]): void {
  const queries = useQueryClient();
  const concerns = useEffectEvent(
    ({ type, conversation_id }: SessionEvent) =>
      type === "manager.alerted" ||
      (CHANGES.test(type) && items.some((item) => item.conversation_id === conversation_id)),
  );
  // The outside system is the stream.
  useEffect(() => {
    const refresh = throttle(() => void readAgain(queries, ALERTS_KEY), PACE);
    const unsubscribe = subscribeLive(
      {},
      {
        onEvents: (events) => events.some(concerns) && refresh.call(),
        onConnection: (state) => state === "live" && refresh.call(),
      },
    );
    return () => {
      unsubscribe();
      refresh.cancel();
    };
  }, [queries]);
}
