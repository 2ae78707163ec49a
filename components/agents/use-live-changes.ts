"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { subscribeLive } from "@/components/client/live.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { throttle } from "@/components/client/throttle.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { type EntryChange, type EntryPages, isOfDefinitions, readChange, withChange } from "./entry-pages.ts";
import { AGENTS_KEY, ENTRIES_KEY, entriesKey, historyKey } from "./queries.ts";

/** Minimum time between two refreshes of the list, ms. */
const PACE = 1_000;

/** Keeps list, histories and agents up to date. Unsaved edits are not affected. */
export function useLiveChanges(): void {
  const queries = useQueryClient();
  // The outside system is the stream.
  useEffect(() => {
    const list = throttle(() => void refetchAfterChange(queries, ENTRIES_KEY), PACE);
    const take = (change: EntryChange) => {
      for (const key of [entriesKey(null), entriesKey(change.agent)]) {
        const known = queries.getQueryData<EntryPages>(key);
        const next = known && withChange(known, change);
        if (next) queries.setQueryData(key, next);
        else if (known) list.call();
      }
      void refetchAfterChange(queries, historyKey(change.agent, change.key));
      if (isOfDefinitions(change)) void refetchAfterChange(queries, AGENTS_KEY);
    };
    const onEvents = (events: SessionEvent[]) => {
      for (const event of events) {
        const change = readChange(event);
        if (change) take(change);
      }
    };
    const catchUp = () => {
      for (const queryKey of [AGENTS_KEY, ENTRIES_KEY, ["agent-state-history"]])
        void refetchAfterChange(queries, queryKey);
    };
    const unsubscribe = subscribeLive({}, { onEvents, onConnection: (state) => state === "live" && catchUp() });
    return () => {
      unsubscribe();
      list.cancel();
    };
  }, [queries]);
}
