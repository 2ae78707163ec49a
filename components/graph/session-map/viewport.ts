"use client";

import {
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Level, MapLayout } from "./layout.ts";

/** What is rendered changes in steps of this size, px, with this much around the pane. */
const TILE = 400;
const AROUND = 600;
/** The reader is at the end, px. */
const AT_END = 24;

/** The rendered part of the map. */
export interface Visible {
  top: number;
  bottom: number;
}

interface MapViewport {
  visible: Visible;
  /** The scroll position and the height of the pane, for what follows each frame. */
  onScroll(listener: () => void): () => void;
  /** Scrolls to a place unless it is in view. */
  show(place: { y: number; height: number }): void;
  onPointerDown(event: ReactPointerEvent<HTMLElement>): void;
}

/** What stays where it is when the layout changes: a band, and how far its top is from the pane's. */
interface Anchor {
  run: string;
  offset: number;
}

/**
 * The scrolled pane: what of the map is rendered, and where it stays when the layout changes. The end is followed while
 * the reader is there.
 */
export function useMapViewport(
  scroller: RefObject<HTMLElement | null>,
  layout: MapLayout | null,
  start: "top" | "end",
): MapViewport {
  const [visible, setVisible] = useState<Visible>({ top: 0, bottom: 2 * TILE });
  const anchor = useRef<Anchor | "end" | null>(null);
  const listeners = useRef(new Set<() => void>());
  const shown = useRef(layout);

  const look = useCallback(() => {
    const pane = scroller.current;
    if (!pane) return;
    const { scrollTop, clientHeight, scrollHeight } = pane;
    const top = Math.max(0, Math.floor((scrollTop - AROUND) / TILE) * TILE);
    const bottom = Math.ceil((scrollTop + clientHeight + AROUND) / TILE) * TILE;
    setVisible((before) => (before.top === top && before.bottom === bottom ? before : { top, bottom }));
    anchor.current =
      scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - AT_END
        ? "end"
        : anchorAt(shown.current, scrollTop + clientHeight / 3, scrollTop);
    for (const listener of listeners.current) listener();
  }, [scroller]);

  // The outside system is the pane's scroll position.
  useEffect(() => {
    const pane = scroller.current;
    if (!pane) return;
    pane.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(pane);
    return () => {
      pane.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, [scroller, look]);

  useLayoutEffect(() => {
    const pane = scroller.current;
    const before = shown.current;
    shown.current = layout;
    if (!pane || !layout) return;
    const keep = anchor.current ?? (start === "end" ? "end" : null);
    const isOther = before?.level !== layout.level || before.width !== layout.width;
    if (keep === "end" && !(isOther && before)) pane.scrollTop = pane.scrollHeight;
    else if (keep !== null) {
      const at =
        keep === "end" ? layout.bands.length - 1 : layout.bands.findIndex(({ band }) => band.run.id === keep.run);
      const top = layout.tops[at];
      if (top !== undefined) pane.scrollTop = keep === "end" ? pane.scrollHeight : top - keep.offset;
    }
    look();
  }, [scroller, layout, start, look]);

  const show = useCallback(
    ({ y, height }: { y: number; height: number }) => {
      const pane = scroller.current;
      if (!pane) return;
      const isInView = y - 34 >= pane.scrollTop && y + height + 12 <= pane.scrollTop + pane.clientHeight;
      if (!isInView) pane.scrollTop = y + height / 2 - pane.clientHeight / 2;
    },
    [scroller],
  );

  const onScroll = useCallback((listener: () => void) => {
    listeners.current.add(listener);
    return () => {
      listeners.current.delete(listener);
    };
  }, []);

  return { visible, onScroll, show, onPointerDown: dragGround };
}

function anchorAt(layout: MapLayout | null, y: number, scrollTop: number): Anchor | null {
  if (!layout) return null;
  const next = layout.tops.findIndex((top) => top > y);
  const at = next < 0 ? layout.tops.length - 1 : next - 1;
  const placed = layout.bands[at];
  return placed ? { run: placed.band.run.id, offset: (layout.tops[at] ?? 0) - scrollTop } : null;
}

/** The ground is dragged as a canvas is; touch scrolls by itself. */
function dragGround(event: ReactPointerEvent<HTMLElement>): void {
  const { currentTarget: pane, target, pointerType, button, pointerId } = event;
  const isGround = target instanceof Element && !target.closest("button, a, input");
  if (pointerType !== "mouse" || button !== 0 || !isGround) return;
  // The scroll bar is outside of the content.
  if (event.nativeEvent.offsetX > pane.clientWidth && target === pane) return;
  let y = event.clientY;
  let moved = 0;
  const move = (next: PointerEvent) => {
    moved += Math.abs(next.clientY - y);
    if (moved > 3 && !pane.hasPointerCapture(pointerId)) pane.setPointerCapture(pointerId);
    pane.scrollTop -= next.clientY - y;
    y = next.clientY;
  };
  const end = () => {
    pane.removeEventListener("pointermove", move);
    pane.removeEventListener("pointerup", end);
    pane.removeEventListener("pointercancel", end);
  };
  pane.addEventListener("pointermove", move);
  pane.addEventListener("pointerup", end);
  pane.addEventListener("pointercancel", end);
}

/** Ctrl and the wheel, or a pinch of a trackpad, changes the level. */
export function useWheelLevel(scroller: RefObject<HTMLElement | null>, set: (level: Level) => void): void {
  const latest = useRef(set);
  useLayoutEffect(() => {
    latest.current = set;
  });
  // React's wheel listeners are passive, and cannot stop the page's zoom.
  useEffect(() => {
    const pane = scroller.current;
    if (!pane) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      latest.current(event.deltaY > 0 ? "far" : "near");
    };
    pane.addEventListener("wheel", onWheel, { passive: false });
    return () => pane.removeEventListener("wheel", onWheel);
  }, [scroller]);
}
