"use client";

import "./panes.css";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ReactNode, type RefObject, useLayoutEffect } from "react";
import {
  Group,
  type Layout,
  type LayoutChangedMeta,
  Panel,
  type PanelImperativeHandle,
  Separator,
  usePanelRef,
} from "react-resizable-panels";
import { DeferredPane } from "@/components/replay/deferred-pane.tsx";
import { ThreadPane } from "@/components/thread/thread-pane.tsx";
import { ThreadRail } from "@/components/thread/thread-rail.tsx";
import { useMedia } from "@/components/ui/use-media.ts";
import { Notices } from "./notices.tsx";
import { DEFAULT_SIZES, MIN_SIZES, PANES, type Pane, readSizes, type Width, writeSizes } from "./pane-sizes.ts";
import { useNarrow } from "./use-narrow.ts";

/** The server renders all panes, and each hydrates separately: together they would be one long task. */
const GraphPane = dynamic(() => import("@/components/graph/graph-pane.tsx").then((room) => room.GraphPane));
const Inspector = dynamic(() => import("@/components/inspector/inspector.tsx").then((room) => room.Inspector));
const Timeline = dynamic(() => import("@/components/timeline/timeline.tsx").then((room) => room.Timeline));

/** The draggable width of a separator, px. */
const GRAB = { fine: 8, coarse: 20 };

/** Thread, graph and inspector over the timeline; in a narrow window the thread is collapsed (C2). */
export function Panes({ badAt }: { badAt: string | null }) {
  const t = useTranslations("studio.panes");
  const width = useWidth();
  const sizes = DEFAULT_SIZES[width];
  const { refs, onLayoutChanged } = usePaneSizes(width);
  return (
    <Group orientation="vertical" id="studio" resizeTargetMinimumSize={GRAB} onLayoutChanged={onLayoutChanged}>
      <Panel id="upper" minSize={200} className="flex">
        {width === "narrow" && <ThreadRail />}
        <Group id="columns" resizeTargetMinimumSize={GRAB} onLayoutChanged={onLayoutChanged} className="min-w-0 flex-1">
          {width !== "narrow" && (
            <>
              <Panel
                id="thread"
                panelRef={refs.thread}
                defaultSize={sizes.thread}
                minSize={MIN_SIZES.thread}
                maxSize="45%"
                groupResizeBehavior="preserve-pixel-size"
              >
                <DeferredPane>
                  <ThreadPane />
                </DeferredPane>
              </Panel>
              <Hairline label={t("resizeThread")} />
            </>
          )}
          <Panel id="graph" minSize={MIN_SIZES.graph} className="relative isolate">
            <Notices badAt={badAt} />
            <DeferredPane>
              <GraphPane />
            </DeferredPane>
          </Panel>
          <Hairline label={t("resizeInspector")} />
          <Panel
            id="inspector"
            panelRef={refs.inspector}
            defaultSize={sizes.inspector}
            minSize={MIN_SIZES.inspector}
            maxSize="50%"
            groupResizeBehavior="preserve-pixel-size"
          >
            <DeferredPane>
              <Inspector />
            </DeferredPane>
          </Panel>
        </Group>
      </Panel>
      <Hairline label={t("resizeTimeline")} flat />
      <Panel
        id="timeline"
        panelRef={refs.timeline}
        defaultSize={sizes.timeline}
        minSize={MIN_SIZES.timeline}
        maxSize="70%"
        groupResizeBehavior="preserve-pixel-size"
      >
        <Timeline />
      </Panel>
    </Group>
  );
}

/** A separator: drag it, or use the arrow keys. */
function Hairline({ label, flat = false }: { label: string; flat?: boolean }): ReactNode {
  return (
    <Separator
      aria-label={label}
      className={`relative z-1 bg-line-strong outline-none data-[separator=active]:bg-accent data-[separator=hover]:bg-line-control focus-visible:bg-accent ${flat ? "h-px" : "w-px"}`}
    />
  );
}

interface RememberedPanes {
  refs: Record<Pane, RefObject<PanelImperativeHandle | null>>;
  /** Called on every layout change; only the reader's own are stored. */
  onLayoutChanged(layout: Layout, meta: Pick<LayoutChangedMeta, "isUserInteraction">): void;
}

/** Restores and stores pane sizes, for wide and narrow windows separately. */
function usePaneSizes(width: Width): RememberedPanes {
  const refs = { thread: usePanelRef(), inspector: usePanelRef(), timeline: usePanelRef() };
  const { thread, inspector, timeline } = refs;

  // The outside system is local storage, which the server cannot read.
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
      // The panes have their new sizes after layout.
      requestAnimationFrame(() => {
        const sizes = readSizes(localStorage, width);
        for (const pane of PANES) sizes[pane] = Math.round(refs[pane].current?.getSize().inPixels ?? sizes[pane]);
        writeSizes(localStorage, width, sizes);
      });
    },
  };
}

/** The window width class; the server renders the wide layout. */
function useWidth(): Width {
  const isNarrow = useNarrow();
  // Up to this width the panes are narrower by default.
  const isMedium = useMedia("(width <= 1360px)");
  return isNarrow ? "narrow" : isMedium ? "medium" : "wide";
}
