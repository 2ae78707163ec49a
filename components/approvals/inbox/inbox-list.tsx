"use client";

import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { type CSSProperties, useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef } from "react";
import type { PendingDecision } from "@/components/decision/pending.ts";
import { useNow } from "@/components/list/now.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { usePhone } from "@/components/ui/use-phone.ts";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { type Status, withPlace } from "../place.ts";
import { heightOf, linesOf, topOf } from "./inbox-lines.ts";
import { InboxRow } from "./inbox-row.tsx";

/** Rows rendered beyond either edge of the viewport, so that fast scrolling shows no gaps. */
const OVERSCAN = 8;

/** Rows from the end at which the next page is fetched: about one screen. */
const AHEAD = 12;

/** Within this distance from an edge, px, new rows count as seen. */
const NEAR = 24;

interface InboxListProps {
  status: Status;
  items: readonly ListedConfirmation[];
  /** The selected approval's id. */
  shown: string | null;
  /** Decisions that can still be undone, by approval id. */
  pending: ReadonlyMap<string, PendingDecision>;
  /** Null when the caller may not select any. */
  isMarked: ((id: string) => boolean) | null;
  /** The total; null while unknown. */
  total: number | null;
  /** Ids of approvals that arrived outside the viewport. */
  arrived: readonly string[];
  more: { has: boolean; loading: boolean; failed: boolean; load: () => void };
  onSelect: (id: string) => void;
  onMark: (id: string) => void;
  onSee: () => void;
}

/**
 * The virtualized rows, with the selected one always rendered. Inserting or removing rows does not move the visible
 * ones.
 */
export function InboxList(props: InboxListProps) {
  const { status, items, shown, pending, isMarked, total, arrived, more, onSelect, onMark, onSee } = props;
  const t = useTranslations("approvals");
  const now = useNow();
  const scroller = useRef<HTMLDivElement>(null);
  const width = usePhone() ? "phone" : "window";
  const lines = useMemo(() => linesOf(items, now), [items, now]);
  const place = lines.findIndex(({ key }) => key === shown);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(lines[index] ?? { kind: "group" }, width),
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: OVERSCAN,
    rangeExtractor: (range) => {
      const drawn = new Set(defaultRangeExtractor(range));
      return place < 0 ? [...drawn] : [...drawn.add(place)].sort((a, b) => a - b);
    },
    // For server rendering, where the height is unknown.
    initialRect: { width: 400, height: 900 },
  });

  // The outside system is the window's width, which the server does not know.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines have another height
  useLayoutEffect(() => virtualizer.measure(), [width]);

  const isNew = useCallback(() => {
    const box = scroller.current;
    if (!box) return false;
    return status === "requested" ? box.scrollTop + box.clientHeight < box.scrollHeight - NEAR : box.scrollTop > NEAR;
  }, [status]);

  useKeptInView(scroller, shown, topOf(lines, shown, width));

  const bringIntoView = useEffectEvent(() => {
    if (place >= 0) virtualizer.scrollToIndex(place);
  });
  // The outside system is the scroll position: the selected row is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice moves the reader's place
  useEffect(bringIntoView, [shown]);

  // The outside system is the scroll position: rows in view count as seen.
  useEffect(() => {
    if (arrived.length > 0 && !isNew()) onSee();
  }, [arrived, isNew, onSee]);

  const drawn = virtualizer.getVirtualItems();
  const last = Math.max(-1, ...drawn.filter(({ index }) => index !== place).map(({ index }) => index));
  const wantsMore = more.has && !more.loading && !more.failed && last >= lines.length - AHEAD;
  const { load } = more;
  // The outside system is the server: the next page is fetched near the end.
  useEffect(() => {
    if (wantsMore) load();
  }, [wantsMore, load]);

  const showArrived = () => {
    scroller.current?.scrollTo({ top: status === "requested" ? scroller.current.scrollHeight : 0 });
    onSee();
  };
  return (
    <div className="relative min-h-0 flex-1">
      <ArrivedPill count={arrived.length} at={status === "requested" ? "end" : "start"} onShow={showArrived} />
      <div
        ref={scroller}
        onScroll={() => arrived.length > 0 && !isNew() && onSee()}
        className="h-full overflow-x-hidden overflow-y-auto [overflow-anchor:none]"
      >
        <ul aria-label={t(`list.${status}`)} className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {drawn.map(({ index, key, start }) => {
            const line = lines[index];
            if (!line) return null;
            const style: CSSProperties = { transform: `translateY(${start}px)`, height: heightOf(line, width) };
            if (line.kind === "group") {
              const isWhole = !more.has || index + line.count < lines.length - 1;
              return <Group key={key} overdue={line.overdue} count={isWhole ? line.count : null} style={style} />;
            }
            const { item, position } = line;
            return (
              <li
                key={key}
                aria-posinset={position}
                aria-setsize={total ?? -1}
                data-current={item.id === shown || undefined}
                data-settled={(status === "requested" && (item.status !== status || pending.has(item.id))) || undefined}
                className="inbox-item"
                style={style}
              >
                <InboxRow
                  item={item}
                  pending={pending.get(item.id) ?? null}
                  current={item.id === shown}
                  marked={status === "requested" ? isMarked?.(item.id) : undefined}
                  href={withPlace(new URLSearchParams(), { status, selected: item.id }) || "?"}
                  onSelect={onSelect}
                  onMark={onMark}
                />
              </li>
            );
          })}
        </ul>
        {more.loading && <p className="px-3 py-2 text-fg-3">{t("loadingMore")}</p>}
        {more.failed && (
          <p role="alert" className="flex flex-wrap items-center gap-3 px-3 py-2 text-fg-2">
            {t("moreFailed")}
            <Button onClick={load}>{t("retry")}</Button>
          </p>
        )}
      </div>
    </div>
  );
}

function Group({ overdue, count, style }: { overdue: boolean; count: number | null; style: CSSProperties }) {
  const t = useTranslations("approvals");
  return (
    <li className={`inbox-group ${overdue ? "text-st-failed" : "text-fg-3"}`} style={style}>
      {overdue && <Icon name="clock" size={14} />}
      {overdue ? t("overdueGroup") : t("waitingGroup")}
      <span className="ml-auto tabular-nums">{count}</span>
    </li>
  );
}

/** Keeps the selected row at its position in the viewport when rows above it change. */
function useKeptInView(scroller: { current: HTMLElement | null }, id: string | null, top: number | null) {
  const before = useRef<{ id: string | null; top: number | null }>({ id: null, top: null });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { id, top };
    if (!scroller.current || top === null || was.id !== id || was.top === null || was.top === top) return;
    scroller.current.scrollTop += top - was.top;
  });
}

interface ArrivedPillProps {
  count: number;
  /** The end of the list at which they are. */
  at: "start" | "end";
  onShow: () => void;
}

/** A button that announces new approvals outside the viewport and scrolls to them. */
function ArrivedPill({ count, at, onShow }: ArrivedPillProps) {
  const t = useTranslations("approvals");
  return (
    <div
      role="status"
      className={`pointer-events-none absolute inset-x-0 z-2 flex justify-center ${at === "end" ? "bottom-3" : "top-3"}`}
    >
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto inline-flex h-7 items-center gap-1.5 rounded-full border border-line-strong bg-raised pr-3 pl-2 font-medium shadow-2 hover:bg-hover focus-visible:rounded-full"
        >
          <Icon name={at === "end" ? "down" : "up"} size={14} />
          {t("arrived", { count })}
        </button>
      )}
    </div>
  );
}
