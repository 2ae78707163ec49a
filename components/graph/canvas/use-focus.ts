"use client";

import { useCallback } from "react";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import type { ShownCallStatus } from "@/components/ui/status.ts";
import { statusOfNode } from "../find-in-session.ts";
import type { Layout, PlacedNode } from "../layout/layout.ts";

/** What a reader comes for, most wanted first. */
const WANTED: readonly ShownCallStatus[] = ["parked", "failed", "denied", "running"];

/** Finds the node that matters at the current step: the first that waits for a person, failed or runs; else null. */
export function useFocus(): (layout: Layout) => PlacedNode | null {
  const store = useStudioStore();
  return useCallback(
    ({ nodes }) => {
      const { session } = store.getState();
      const statuses = nodes.map(({ node }) => statusOfNode(session, node));
      for (const wanted of WANTED) {
        const found = nodes[statuses.indexOf(wanted)];
        if (found) return found;
      }
      return null;
    },
    [store],
  );
}
