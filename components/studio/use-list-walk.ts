"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { findNeighbour, keepPlace, readPlace } from "@/components/list/list-place.ts";
import { listAddress } from "./header/list-link.tsx";
import { useStudioStore } from "./use-studio.ts";

/** From one conversation to the next of the list, as it was filtered, and back to it: J, K and U do as well. */
export function useListWalk() {
  const store = useStudioStore();
  const router = useRouter();
  const walk = useCallback(
    async (by: 1 | -1) => {
      const id = await findNeighbour(store.getState().conversationId, by);
      // The way back leads to the list, not through all that was looked at.
      if (id !== null) router.replace(`/conversations/${encodeURIComponent(id)}`);
    },
    [store, router],
  );
  const leave = useCallback(() => router.push(listAddress()), [router]);
  // The outside system is the tab's memory.
  useEffect(() => {
    const place = readPlace();
    if (place) keepPlace({ ...place, at: store.getState().conversationId });
  }, [store]);
  // A server that does not answer is told of by the page already.
  const step = (by: 1 | -1) => void walk(by).catch(() => undefined);
  useShortcuts({ next: () => step(1), previous: () => step(-1), list: leave });
  return { walk, leave };
}
