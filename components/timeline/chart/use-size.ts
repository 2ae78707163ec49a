"use client";

import { type RefObject, useEffect, useState } from "react";

/** An element's size in CSS pixels, and the device pixel ratio. */
export interface Size {
  width: number;
  height: number;
  ratio: number;
}

/** Measures an element on each change; null at first. The outside system is the page's layout. */
export function useSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
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
