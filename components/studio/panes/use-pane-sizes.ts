"use client";

import { type RefObject, useLayoutEffect } from "react";
import { type Layout, type LayoutChangedMeta, type PanelImperativeHandle, usePanelRef } from "react-resizable-panels";
import { PANES, type Pane, readSizes, type Width, writeSizes } from "./pane-sizes.ts";

interface RememberedPanes {
  refs: Record<Pane, RefObject<PanelImperativeHandle | null>>;
  /** To be told of every change of the layout; only the reader's own are remembered. */
  onLayoutChanged(layout: Layout, meta: Pick<LayoutChangedMeta, "isUserInteraction">): void;
}

/** Gives the panes the sizes that the reader left, and remembers new ones, for wide and narrow windows apart. */
export function usePaneSizes(width: Width): RememberedPanes {
  const refs = { thread: usePanelRef(), inspector: usePanelRef(), timeline: usePanelRef() };
  const { thread, inspector, timeline } = refs;

  // The outside system is the browser's storage, which the server's first paint cannot know.
  useLayoutEffect(() => {
    const sizes = readSizes(localStorage, width);
    thread.current?.resize(sizes.thread);
    inspector.current?.resize(sizes.inspector);
    timeline.current?.resize(sizes.timeline);
  }, [width, thread, inspector, timeline]);

  return {
    refs,
    onLayoutChanged(_layout, { isUserInteraction }) {
      if (!isUserInteraction) return;
      // The panes have their new sizes once the browser has laid them out.
      requestAnimationFrame(() => {
        const sizes = readSizes(localStorage, width);
        for (const pane of PANES) sizes[pane] = Math.round(refs[pane].current?.getSize().inPixels ?? sizes[pane]);
        writeSizes(localStorage, width, sizes);
      });
    },
  };
}
