"use client";

import { type KeyboardEvent, useCallback } from "react";
import type { Layout } from "../layout/layout.ts";
import { type Direction, neighbour } from "./neighbour.ts";
import { useShowNode } from "./use-show-node.ts";

const DIRECTIONS = new Map<string, Direction>([
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
]);

/** Moves the focus between calls with the arrow keys, and scrolls them into view. */
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
