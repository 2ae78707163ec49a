"use client";

import { useEffect } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { standsFor, touchedCall } from "../find-in-session.ts";
import type { Layout } from "../layout/layout.ts";
import { useShowNode } from "./use-show-node.ts";

/** Brings the selected call into view when it is selected or its plan is laid out; while playing, what a step touches. */
export function useShowSelected(layout: Layout | undefined, selected: string | null): void {
  const show = useShowNode();
  const touched = useStudio((state) => {
    const call = state.playing ? touchedCall(state) : null;
    return (call && layout?.nodes.find(({ node }) => standsFor(state.session, node, call))?.node.id) ?? null;
  });
  const wanted = touched ?? selected;

  // React Flow's view is d3's, outside of React.
  useEffect(() => {
    const placed = layout?.nodes.find(({ node }) => node.id === wanted);
    if (placed) void show(placed);
  }, [layout, wanted, show]);
}
