"use client";

import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { listMoves, useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import type { AuditEntry } from "@/lib/api/shapes.ts";
import { EntryRow, entryButtonId } from "./entry-row.tsx";

/** Height in pixels of a row, and of the sticky head. */
const ROW = 35;
const HEAD = 28;

/** Rows from the end at which the next page is fetched: about one screen. */
const AHEAD = 30;

interface AuditTableProps {
  entries: readonly AuditEntry[];
  more: { has: boolean; loading: boolean; failed: boolean; load: () => void };
}

/** The virtualized rows; the one with keyboard focus is always rendered. */
export function AuditTable({ entries, more }: AuditTableProps) {
  const t = useTranslations("audit");
  const table = useRef<HTMLTableElement>(null);
  const margin = useMargin(table);
  const [open, setOpen] = useState<number | null>(null);
  const [currentId, setCurrentId] = useState<number | null>(null);
  const current = entries.findIndex(({ id }) => id === currentId);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: scroller,
    estimateSize: () => ROW,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 12,
    scrollMargin: margin,
    scrollPaddingStart: HEAD,
    rangeExtractor: (range) => {
      const drawn = new Set(defaultRangeExtractor(range));
      return current < 0 ? [...drawn] : [...drawn.add(current)].sort((a, b) => a - b);
    },
    // For server rendering, where the height is unknown.
    initialRect: { width: 1_000, height: 1_200 },
  });

  const move = useCallback(
    (by: number) => {
      const to = Math.max(0, Math.min(entries.length - 1, current + by));
      const entry = entries[to];
      if (!entry) return;
      flushSync(() => setCurrentId(entry.id));
      virtualizer.scrollToIndex(to);
      document.getElementById(entryButtonId(entry.id))?.focus({ preventScroll: true });
    },
    [entries, current, virtualizer],
  );
  useShortcuts(listMoves(move));
  const toggle = useCallback((id: number) => setOpen((known) => (known === id ? null : id)), []);

  const drawn = virtualizer.getVirtualItems();
  const last = Math.max(-1, ...drawn.map(({ index }) => index));
  const wantsMore = more.has && !more.loading && !more.failed && last >= entries.length - AHEAD;
  const { load } = more;
  // The outside system is the server: the next page is fetched near the end.
  useEffect(() => {
    if (wantsMore) load();
  }, [wantsMore, load]);

  let end = margin;
  const rows = drawn.map(({ index, key, start, end: next }) => {
    const gap = start - end;
    end = next;
    return { index, key, gap };
  });
  return (
    <>
      <table ref={table} aria-rowcount={more.has ? -1 : entries.length + 1} className="block">
        <caption className="sr-only">{t("caption")}</caption>
        <TableHead />
        {rows.map(({ index, key, gap }) => {
          const entry = entries[index];
          return (
            entry && [
              gap > 0 && <tbody key={`before ${key}`} aria-hidden className="block" style={{ height: gap }} />,
              <tbody key={key} data-index={index} ref={virtualizer.measureElement} className="block">
                <EntryRow
                  entry={entry}
                  index={index}
                  open={entry.id === open}
                  onToggle={toggle}
                  onFocus={setCurrentId}
                />
              </tbody>,
            ]
          );
        })}
        <tbody aria-hidden className="block" style={{ height: margin + virtualizer.getTotalSize() - end }} />
      </table>
      {more.loading && <div aria-hidden className="my-2 h-6 animate-pulse-soft rounded-1 bg-active" />}
      {more.failed && (
        <p role="alert" className="flex items-center gap-3 py-2 text-fg-2">
          {t("more_failed")}
          <Button onClick={more.load}>{t("retry")}</Button>
        </p>
      )}
    </>
  );
}

/** The page scrolls, not the table. */
function scroller(): HTMLElement | null {
  return document.getElementById("main");
}

/** The table's offset in the scroll container, which depends on how the filters wrap. */
function useMargin(table: React.RefObject<HTMLTableElement | null>): number {
  const [margin, setMargin] = useState(0);
  // The outside system is the layout of the page.
  useLayoutEffect(() => {
    const box = scroller();
    const above = table.current?.parentElement;
    if (!box || !above) return;
    const look = () => {
      if (!table.current) return;
      const from = table.current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
      setMargin(Math.round(from) + HEAD);
    };
    const observer = new ResizeObserver(look);
    observer.observe(box);
    look();
    return () => observer.disconnect();
  }, [table]);
  return margin;
}

function TableHead() {
  const t = useTranslations("audit.columns");
  return (
    <thead className="sticky top-0 z-2 block">
      <tr className="audit-grid h-7 border-line-strong border-b bg-canvas text-left text-11 text-fg-3 [&>th]:truncate [&>th]:font-normal">
        <th scope="col">
          <span className="sr-only">{t("details")}</span>
        </th>
        <th scope="col" aria-sort="descending">
          {t("at")} <span aria-hidden>↓</span>
        </th>
        <th scope="col">{t("actor")}</th>
        <th scope="col" className="what">
          {t("action")}
        </th>
        <th scope="col" className="minor">
          {t("changes")}
        </th>
        <th scope="col" className="minor">
          {t("address")}
        </th>
      </tr>
    </thead>
  );
}
