"use client";

import { useEffect } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { includesCall, touchedCall } from "../find-in-session.ts";
import type { Layout } from "../layout/layout.ts";
import { useShowNode } from "./use-show-node.ts";

/** Scrolls to the selected call when it is selected or the layout changes; during playback, to the calls of a step. */
export function useShowSelected(layout: Layout | undefined, selected: string | null): void {
  const show = useShowNode();
  const touched = useStudio((state) => {
    const call = state.playing ? touchedCall(state) : null;
    return (call && layout?.nodes.find(({ node }) => includesCall(state.session, node, call))?.node.id) ?? null;
  });
  const wanted = touched ?? selected;

  // React Flow's viewport is d3-zoom's, outside of React.
  useEffect(() => {
    const placed = layout?.nodes.find(({ node }) => node.id === wanted);
    if (placed) void show(placed);
  }, [layout, wanted, show]);
}
