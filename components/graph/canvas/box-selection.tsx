"use client";

import { useStoreApi } from "@xyflow/react";
import { useEffect, useEffectEvent, useState } from "react";
import type { Layout } from "../layout/layout.ts";
import type { PlanEditing } from "../plan-editing.ts";
import { touches } from "./use-visible-tiles.ts";

/** In px of the canvas. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface BoxSelectionProps {
  layout: Layout;
  onSelect: PlanEditing["selectAlso"];
}

/** Shift and dragging the ground draws a box; the calls that it touches are added to the selection. */
export function BoxSelection({ layout, onSelect }: BoxSelectionProps) {
  const store = useStoreApi();
  const [box, setBox] = useState<Box | null>(null);
  const finish = useEffectEvent((drawn: Box) => {
    const [x, y, zoom] = store.getState().transform;
    const region = {
      left: (drawn.left - x) / zoom,
      top: (drawn.top - y) / zoom,
      right: (drawn.right - x) / zoom,
      bottom: (drawn.bottom - y) / zoom,
    };
    const inside = layout.nodes.filter((placed) =>
      touches(
        {
          left: placed.x,
          top: placed.y + placed.box.top,
          right: placed.x + placed.box.width,
          bottom: placed.y + placed.box.height,
        },
        region,
      ),
    );
    onSelect(
      inside.map(({ node }) => node),
      "add",
    );
  });

  // The outside system is the pointer: React Flow would pan the ground.
  useEffect(() => {
    const { domNode } = store.getState();
    if (!domNode) return;
    const canvas = domNode;
    const dragging = new AbortController();
    const onStart = (start: MouseEvent) => {
      const isGround = start.target instanceof Element && start.target.matches(".react-flow__pane");
      if (!isGround || !start.shiftKey || start.button !== 0) return;
      start.preventDefault();
      start.stopPropagation();
      const { left, top } = canvas.getBoundingClientRect();
      const boxTo = ({ clientX, clientY }: MouseEvent): Box => ({
        left: Math.min(start.clientX, clientX) - left,
        top: Math.min(start.clientY, clientY) - top,
        right: Math.max(start.clientX, clientX) - left,
        bottom: Math.max(start.clientY, clientY) - top,
      });
      const drag = new AbortController();
      const signal = AbortSignal.any([drag.signal, dragging.signal]);
      addEventListener("mousemove", (event) => setBox(boxTo(event)), { signal });
      addEventListener(
        "mouseup",
        (event) => {
          drag.abort();
          setBox(null);
          finish(boxTo(event));
          // The click that follows would end the selection.
          canvas.addEventListener("click", stop, { capture: true, once: true });
          setTimeout(() => canvas.removeEventListener("click", stop, true));
        },
        { signal },
      );
    };
    canvas.addEventListener("mousedown", onStart, { capture: true, signal: dragging.signal });
    return () => dragging.abort();
  }, [store]);

  if (!box) return null;
  return (
    <div
      className="pg-box"
      style={{ left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top }}
    />
  );
}

function stop(event: Event): void {
  event.stopPropagation();
}
