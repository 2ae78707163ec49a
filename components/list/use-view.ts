"use client";

import { type RefObject, useEffect, useState } from "react";
import { type View, viewOf } from "./row-window.ts";

/** Which rows the box shows; null until it can be measured. Renders again only when that changes by a row. */
export function useView(scroller: RefObject<HTMLElement | null>): View | null {
  const [view, setView] = useState<View | null>(null);
  // The outside system is the box: how far it is scrolled and how high it is.
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = () => {
      const next = viewOf(box);
      setView((known) => (known?.top === next.top && known.size === next.size ? known : next));
    };
    const observer = new ResizeObserver(look);
    observer.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [scroller]);
  return view;
}
