"use client";

import { useMedia } from "@/components/ui/use-media.ts";

/** Whether the thread folds to a rail: thread, graph and inspector no longer fit side by side at a readable width. */
export function useNarrow(): boolean {
  return useMedia("(width <= 1180px)");
}
