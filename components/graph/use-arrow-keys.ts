"use client";

import { useReactFlow, useStoreApi } from "@xyflow/react";
import { type KeyboardEvent, useCallback } from "react";
import type { Layout, PlacedNode } from "./layout.ts";
import { type Direction, neighbour } from "./neighbour.ts";
import { moveDuration } from "./use-framing.ts";

const DIRECTIONS = new Map<string, Direction>([
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
]);

/** Moves the focus from call to call with the arrow keys, and the view with it. */
export function useArrowKeys(layout: Layout | undefined): (event: KeyboardEvent<HTMLElement>) => void {
  const show = useShowNode();
  return useCallback(
    (event) => {
      const direction = DIRECTIONS.get(event.key);
      const from = event.target instanceof HTMLElement ? event.target.dataset.node : undefined;
      if (!direction || from === undefined || !layout || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      const to = neighbour(layout.nodes, from, direction);
      if (!to) return;
      const canvas = event.currentTarget;
      void show(to).then(() => {
        for (const button of canvas.querySelectorAll<HTMLElement>("[data-node]")) {
          if (button.dataset.node === to.node.id) button.focus({ preventScroll: true });
        }
      });
    },
    [layout, show],
  );
}

/** Moves the view as little as is needed to show a node whole. */
export function useShowNode(): (placed: PlacedNode) => Promise<void> {
  const { setViewport } = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    async ({ x, y, box }) => {
      const { transform, width, height } = store.getState();
      const [left, top, zoom] = transform;
      const next = {
        x: left + intoView(left + x * zoom, box.width * zoom, width),
        y: top + intoView(top + y * zoom, box.height * zoom, height),
        zoom,
      };
      if (next.x !== left || next.y !== top) await setViewport(next, { duration: moveDuration() });
    },
    [setViewport, store],
  );
}

/** How far something must move to stand inside of the pane with a margin; its beginning counts where it is too large. */
function intoView(start: number, size: number, pane: number): number {
  const margin = 24;
  const end = start + size;
  if (end > pane - margin) return Math.max(pane - margin - end, margin - start);
  return start < margin ? margin - start : 0;
}
