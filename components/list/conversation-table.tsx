"use client";

import { useTranslations } from "next-intl";
import { type RefObject, useCallback, useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { listMoves, useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import { gridOf, parseColumns, shownColumns } from "./columns/columns.ts";
import { PAGE_SIZE } from "./conversation-pages.ts";
import type { Display, ListState } from "./filters/filters.ts";
import { keepPlace, readPlace } from "./list-place.ts";
import { ConversationRow, rowLinkId } from "./row/conversation-row.tsx";
import { useTitle } from "./row/use-title.ts";
import { ROW_HEIGHT, rowsToDraw, scrollTopFor, type View, viewOf } from "./row-window.ts";
import { SkeletonRows } from "./skeleton-rows.tsx";
import { TableHead } from "./table-head.tsx";
import type { Mark } from "./use-marks.ts";

/** Before hydration nothing is measured, so the first page is rendered whole. */
const UNMEASURED = { top: 0, size: PAGE_SIZE };

/** Rows from the end at which the next page is fetched: more than a screen, so that it is there in time. */
const AHEAD = 30;

interface ConversationTableProps {
  scroller: RefObject<HTMLDivElement | null>;
  rows: readonly Conversation[];
  /** The order and the columns. */
  state: ListState;
  onChange: (part: Partial<Display>) => void;
  /** The total; null while unknown. */
  total: number | null;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  hasMore: boolean;
  loadingMore: boolean;
  /** Loading the next page failed; it is retried on request. */
  failed: boolean;
  onMore: () => void;
  /** The rows selected for comparison. */
  marks: readonly Mark[];
  onMark: (mark: Mark) => void;
  onCompare: () => void;
  onUnmark: () => void;
}

/** The virtualized table; the row with keyboard focus is always rendered. */
export function ConversationTable(props: ConversationTableProps) {
  const { scroller, rows, state, total, next, hasMore, loadingMore, failed, onMore, marks, onMark } = props;
  const t = useTranslations("list");
  const titleOf = useTitle();
  const [currentId, setCurrentId] = useState<string | null>(null);
  const current = rows.findIndex(({ id }) => id === currentId);
  const view = useView(scroller);
  const drawn = rowsToDraw(view ?? UNMEASURED, rows.length, current);

  const move = useCallback(
    (by: number) => {
      const next = Math.max(0, Math.min(rows.length - 1, current + by));
      const row = rows[next];
      if (!row || !scroller.current) return;
      flushSync(() => setCurrentId(row.id));
      scroller.current.scrollTop = scrollTopFor(next, scroller.current);
      document.getElementById(rowLinkId(row.id))?.focus({ preventScroll: true });
    },
    [rows, current, scroller],
  );
  const markCurrent = () => {
    const row = rows[current];
    if (row) onMark({ id: row.id, title: titleOf(row) });
  };
  useShortcuts({
    ...listMoves(move),
    mark: markCurrent,
    compare: props.onCompare,
    close: props.onUnmark,
  });
  const onReturn = useCallback((id: string) => {
    flushSync(() => setCurrentId(id));
    document.getElementById(rowLinkId(id))?.focus({ preventScroll: true });
  }, []);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  useListPlace({ ids, scroller, hasMore, loadingMore, onMore, onReturn });
  const onOpen = (id: string) =>
    keepPlace({ query: window.location.search, ids, next, at: id, top: scroller.current?.scrollTop ?? 0 });

  const nearEnd = view !== null && view.top + view.size >= rows.length - AHEAD;
  const wantsMore = nearEnd && hasMore && !loadingMore && !failed;
  // The outside system is the server: the next page is fetched near the end.
  useEffect(() => {
    if (wantsMore) onMore();
  }, [wantsMore, onMore]);

  const shown = shownColumns(state, rows).join();
  // Rows are drawn again only when other columns are shown.
  const columns = useMemo(() => parseColumns(shown || "none") ?? [], [shown]);
  const isChosen = state.columns !== "";
  const rest = (rows.length - 1 - (drawn.at(-1) ?? 0)) * ROW_HEIGHT;
  return (
    <>
      <table
        aria-rowcount={total === null ? -1 : total + 1}
        data-marking={marks.length > 0 || undefined}
        className="block"
        style={gridOf(columns, isChosen)}
      >
        <caption className="sr-only">{t("caption")}</caption>
        <TableHead columns={columns} isChosen={isChosen} rows={rows} state={state} onChange={props.onChange} />
        <tbody className="block" style={{ paddingBottom: rest }}>
          {drawn.map((index, place) => {
            const conversation = rows[index];
            return (
              conversation && (
                <ConversationRow
                  key={conversation.id}
                  conversation={conversation}
                  index={index}
                  current={index === current}
                  gap={(index - (drawn[place - 1] ?? -1) - 1) * ROW_HEIGHT}
                  columns={columns}
                  isChosen={isChosen}
                  marked={marks.some(({ id }) => id === conversation.id)}
                  onMark={onMark}
                  onFocus={setCurrentId}
                  onOpen={onOpen}
                />
              )
            );
          })}
        </tbody>
        {loadingMore && <SkeletonRows count={3} />}
      </table>
      {failed && (
        <p role="alert" className="flex items-center gap-3 px-3 py-2 text-fg-2">
          {t("more_failed")}
          <Button onClick={onMore}>{t("retry")}</Button>
        </p>
      )}
    </>
  );
}

interface Returned {
  ids: readonly string[];
  scroller: RefObject<HTMLElement | null>;
  hasMore: boolean;
  loadingMore: boolean;
  onMore: () => void;
  /** The last visited conversation is loaded. */
  onReturn: (id: string) => void;
}

/** Scrolls back to the last visited conversation, once, and loads pages until it is there. */
function useListPlace({ ids, scroller, hasMore, loadingMore, onMore, onReturn }: Returned): void {
  // The outside system is session storage, and the scroll position.
  useEffect(() => {
    const place = readPlace();
    if (!place || place.at === null || place.query !== window.location.search) return;
    const index = ids.indexOf(place.at);
    if (index === -1 && hasMore && ids.length < place.ids.length) {
      if (!loadingMore) onMore();
      return;
    }
    keepPlace({ ...place, at: null });
    if (index === -1) return;
    scroller.current?.scrollTo({ top: place.top });
    onReturn(place.at);
  }, [ids, scroller, hasMore, loadingMore, onMore, onReturn]);
}

/** The visible rows; null until measured. Renders only when they change. */
function useView(scroller: RefObject<HTMLElement | null>): View | null {
  const [view, setView] = useState<View | null>(null);
  // The outside system is the scroll container: its position and height.
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
