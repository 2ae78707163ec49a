"use client";

import { useMedia } from "@/components/ui/use-media.ts";

/** Whether the thread is collapsed because thread, graph and inspector do not fit side by side. */
export function useNarrow(): boolean {
  return useMedia("(width <= 1180px)");
}
