"use client";

import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { Layout } from "../layout/layout.ts";
import { useShowNode } from "./use-show-node.ts";

/** Moves the focus to a node that the next layout will have: what was pressed gives way to it. */
export function useMoveFocus(layout: Layout | undefined): [RefObject<HTMLDivElement | null>, (id: string) => void] {
  const canvas = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  const show = useShowNode();

  // The focus is the page's; the node may come into the page only when it comes into view.
  useEffect(() => {
    const placed = layout?.nodes.find(({ node }) => node.id === wanted.current);
    if (!placed) return;
    wanted.current = null;
    void show(placed).then(() => {
      for (const button of canvas.current?.querySelectorAll<HTMLElement>("[data-node]") ?? [])
        if (button.dataset.node === placed.node.id) button.focus({ preventScroll: true });
    });
  }, [layout, show]);

  const moveFocus = useCallback((id: string) => {
    wanted.current = id;
  }, []);
  return [canvas, moveFocus];
}
