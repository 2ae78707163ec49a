"use client";

import { useStore } from "@xyflow/react";
import { useState } from "react";
import type { Layout } from "../layout/layout.ts";
import { isFree } from "./overview-place.ts";

/** Whether mini-map and legend show: as the reader wishes, else where the first look leaves their corner free. */
export function useOverview(layout: Layout | undefined): { shown: boolean; toggle(): void } {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const [wish, setWish] = useState<boolean | null>(null);
  const shown = layout !== undefined && (wish ?? isFree(layout, { width, height }));
  return { shown, toggle: () => setWish(!shown) };
}
