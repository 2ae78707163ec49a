"use client";

import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

/** An element's size in CSS pixels, and the device pixel ratio. */
export interface Size {
  width: number;
  height: number;
  ratio: number;
}

/** Measures an element before it is first drawn, and on each change. The outside system is the page's layout. */
export function useSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    if (!element.current) return;
    const { clientWidth: width, clientHeight: height } = element.current;
    setSize({ width, height, ratio: window.devicePixelRatio });
  }, [element]);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      setSize({ width, height, ratio: window.devicePixelRatio });
    });
    // In device pixels, so that moving to another screen or zooming counts as a change.
    observer.observe(element.current, { box: "device-pixel-content-box" });
    return () => observer.disconnect();
  }, [element]);
  return size;
}
