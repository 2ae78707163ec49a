"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { usePhone } from "@/components/ui/use-phone.ts";
import { useAgentSelection } from "../use-agent-selection.ts";
import { SidebarLine } from "./sidebar-line.tsx";
import type { SidebarRow } from "./sidebar-rows.ts";

interface SidebarListProps {
  rows: readonly SidebarRow[];
  /** There is a next page. */
  wantsMore: boolean;
  onMore: () => void;
}

/** Row height in px; larger on touch screens. */
const ROW_HEIGHT = { window: 28, phone: 44 };
const OVERSCAN = 12;
/** Rows from the end at which the next page is fetched: about one screen. */
const AHEAD = 30;

/** The virtualized rows of the list. J and K, and the arrow keys in it, move the focus from link to link. */
export function SidebarList({ rows, wantsMore, onMore }: SidebarListProps) {
  const [{ agent, key }] = useAgentSelection();
  const scroller = useRef<HTMLDivElement>(null);
  const height = ROW_HEIGHT[usePhone() ? "phone" : "window"];
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rowKey(rows[index], index),
    overscan: OVERSCAN,
    // For server rendering, where the height is unknown.
    initialRect: { width: 300, height: 700 },
  });
  // The outside system is the window's width, which the server does not know.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines have another height
  useLayoutEffect(() => virtualizer.measure(), [height]);
  const drawn = virtualizer.getVirtualItems();
  const nearEnd = (drawn.at(-1)?.index ?? 0) >= rows.length - AHEAD;

  const loadMore = useEffectEvent(onMore);
  // The outside system is the server: the next page is fetched near the end.
  useEffect(() => {
    if (nearEnd && wantsMore) loadMore();
  }, [nearEnd, wantsMore]);

  const move = (by: 1 | -1) => {
    const links = [...(scroller.current?.querySelectorAll<HTMLElement>("a") ?? [])];
    const focused = links.findIndex((link) => link.matches(":focus"));
    const from = focused >= 0 ? focused : links.findIndex((link) => link.ariaCurrent === "true");
    links[Math.max(0, from + by)]?.focus();
  };
  useShortcuts({ next: () => move(1), previous: () => move(-1) });

  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
      <ul
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          move(event.key === "ArrowDown" ? 1 : -1);
        }}
      >
        {drawn.map(({ index, key: id, start }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={id}
                className="absolute inset-x-0 top-0 h-7 phone:h-11"
                style={{ transform: `translateY(${start}px)` }}
              >
                <SidebarLine row={row} selected={isSelected(row, agent, key)} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** An agent can be listed twice: as running here and as storing state. */
function rowKey(row: SidebarRow | undefined, index: number): string | number {
  return row ? `${row.kind} ${row.id}` : index;
}

function isSelected(row: SidebarRow, agent: string | null, key: string | null): boolean {
  switch (row.kind) {
    case "heading":
      return false;
    case "running":
    case "keeper":
      return row.id === agent && key === null;
    case "key":
    case "memory":
      return row.entry.agent_id === agent && row.entry.key === key;
    default:
      return row satisfies never;
  }
}
