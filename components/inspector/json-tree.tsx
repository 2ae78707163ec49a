"use client";

import { measureElement, useVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import { LoadButton } from "@/components/studio/load-button.tsx";
import { useCited } from "@/components/studio/use-cited.ts";
import { copyText } from "@/components/ui/copy-text.ts";
import { isPhone } from "@/components/ui/use-phone.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { Ref } from "@/lib/session/session.ts";
import { type JsonRow, jsonRows, type RowMark, rowByKey, textOf } from "./json-rows.ts";
import { JsonTreeRow } from "./json-tree-row.tsx";

/** Search results. */
export interface TreeFind {
  hits: ReadonlySet<string>;
  current: string | null;
  way: ReadonlySet<string>;
}

interface JsonTreeProps {
  label: string;
  value: Json;
  /** The prefix of a copied path: `†state`. */
  prefix?: string;
  /** The selected row's id. */
  selected?: string | null;
  onSelect?: (row: JsonRow) => void;
  markOf?: (row: JsonRow) => RowMark | null;
  /** Rows that are expanded by default. */
  opened?: ReadonlySet<string>;
  /** The rows that match, the current match, and the rows that have to be expanded for it. */
  find?: TreeFind | undefined;
  /** Content at the right end of a row. */
  asideOf?: (row: JsonRow) => ReactNode;
  /** Shown instead of an empty collection's rows. */
  empty?: ReactNode;
  className?: string;
}

const ROW_HEIGHT = 20;
/** Rows rendered above and below the viewport. */
const OVERSCAN = 12;
const NONE: ReadonlySet<string> = new Set();
/** An empty tree keeps its element and a size: mounting it again would force a layout while scrubbing. */
const HIDDEN = "pointer-events-none invisible absolute inset-0";

/** A row can have content below its line. */
function isTall({ value, expanded }: JsonRow): boolean {
  return isRef(value) || (expanded && typeof value === "string");
}

/** JSON as a tree: arrow keys move and expand, Enter selects, C copies the value and P its path. */
export function JsonTree({
  label,
  value,
  prefix = "",
  selected = null,
  onSelect,
  markOf,
  opened = NONE,
  find,
  asideOf,
  empty = <p className="px-3 py-1 font-mono text-11 text-fg-3">{Array.isArray(value) ? "[]" : "{}"}</p>,
  className = "",
}: JsonTreeProps) {
  const t = useTranslations("inspector.tree");
  const treeId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [active, setActive] = useState(0);
  const way = find?.way ?? NONE;
  const rows = useMemo(
    () => jsonRows(value, (id, byDefault) => way.has(id) || (toggled.get(id) ?? (opened.has(id) || byDefault))),
    [value, toggled, opened, way],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    // Most rows have the same height: measuring them would force layout during rendering. Measurements of the browser
    // are still used.
    measureElement(element, told, virtualizer) {
      const row = rows[virtualizer.indexFromElement(element)];
      const isPlain = row !== undefined && !isTall(row) && !isPhone();
      return told === undefined && isPlain ? ROW_HEIGHT : measureElement(element, told, virtualizer);
    },
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    // For server rendering, where the height is unknown.
    initialRect: { width: 320, height: 400 },
  });

  // The outside system is the scroll position: a row that was selected elsewhere is scrolled into view.
  const selectedIndex = selected === null ? -1 : rows.findIndex(({ id }) => id === selected);
  const bringIntoView = useEffectEvent(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the reader's place
  useEffect(bringIntoView, [selected]);
  const hit = find?.current ?? null;
  const showHit = useEffectEvent(() => {
    const index = hit === null ? -1 : rows.findIndex(({ id }) => id === hit);
    if (index < 0) return;
    setActive(index);
    virtualizer.scrollToIndex(index);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another hit moves the reader's place
  useEffect(showHit, [hit]);

  const toggle = (row: JsonRow) => setToggled((before) => new Map(before).set(row.id, !row.expanded));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[active];
    if (!row) return;
    const next = rowByKey(event.key, rows, active);
    if (next !== null) {
      setActive(next);
      virtualizer.scrollToIndex(next);
    } else if (!actOn(row, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const actOn = (row: JsonRow, key: string): boolean => {
    if ((key === "ArrowRight" && row.expandable && !row.expanded) || (key === "ArrowLeft" && row.expanded)) toggle(row);
    else if (key === "Enter" || key === " ") onSelect ? onSelect(row) : row.expandable && toggle(row);
    else if (key === "c") void copyText(textOf(row.value));
    else if (key === "C") void copyText(prefix + row.id);
    else return false;
    return true;
  };

  const isEmpty = rows.length === 0;
  const tree = (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      aria-activedescendant={rows[active] ? `${treeId}${active}` : undefined}
      aria-keyshortcuts="C Shift+C"
      title={t("keys")}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className={`group/tree overflow-x-hidden overflow-y-auto font-mono text-11 leading-5 ${isEmpty ? HIDDEN : className}`}
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <JsonTreeRow
                id={`${treeId}${index}`}
                row={row}
                prefix={prefix}
                mark={markOf?.(row) ?? null}
                aside={asideOf?.(row)}
                hit={row.id === hit ? "current" : find?.hits.has(row.id) ? "other" : null}
                isActive={index === active}
                isSelected={row.id === selected}
                onToggle={() => toggle(row)}
                onPick={() => {
                  setActive(index);
                  if (onSelect) onSelect(row);
                  else if (row.expandable) toggle(row);
                }}
              >
                {isRef(row.value) && <CitedValue cited={row.value} depth={row.depth} label={row.id} />}
              </JsonTreeRow>
            </div>
          );
        })}
      </div>
    </div>
  );
  return (
    <>
      {isEmpty && empty}
      {tree}
    </>
  );
}

/** A value over 16 kB: its size, and a tree once it is loaded. */
function CitedValue({ cited, depth, label }: { cited: Ref; depth: number; label: string }) {
  const loaded = useCited(cited);
  return (
    <div className="pr-3 pb-1 font-sans" style={{ paddingInlineStart: 30 + depth * 14 }}>
      {loaded.value === undefined ? (
        <LoadButton cited={loaded} bytes={cited.bytes} />
      ) : (
        <Loaded label={label} value={loaded.value} />
      )}
    </div>
  );
}

function Loaded({ label, value }: { label: string; value: Json }) {
  if (typeof value === "string")
    return <p className="max-h-80 overflow-y-auto text-12 whitespace-pre-wrap wrap-anywhere">{value}</p>;
  return <JsonTree label={label} value={value} className="max-h-80 border border-line bg-surface" />;
}
