"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";
import { findNeighbour, keepPlace, readPlace } from "@/components/list/list-place.ts";
import { isTyping } from "@/components/shell/is-typing.ts";
import { listAddress } from "./list-link.tsx";
import { useStudioStore } from "./use-studio.ts";

/** Letters by their place on an English keyboard. */
const STEPS: Record<string, 1 | -1> = { KeyJ: 1, KeyK: -1 };
const LEAVE = "KeyU";

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
  // The outside systems are the tab's memory and the keyboard.
  useEffect(() => {
    const place = readPlace();
    if (place) keepPlace({ ...place, at: store.getState().conversationId });
    const onKeyDown = (event: KeyboardEvent) => {
      const by = STEPS[event.code];
      if ((by === undefined && event.code !== LEAVE) || event.shiftKey || isTyping(event)) return;
      event.preventDefault();
      // A server that does not answer is told of by the page already.
      if (by === undefined) leave();
      else void walk(by).catch(() => undefined);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [store, walk, leave]);
  return { walk, leave };
}
