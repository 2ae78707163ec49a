"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { type StepComparison, type StepPair, type StepRow, stepRows } from "@/lib/session/compare/steps.ts";
import type { View } from "@/lib/session/session.ts";
import { Nothing } from "../nothing.tsx";
import { SideBadge } from "../side-badge.tsx";
import { usePlace } from "../use-place.ts";
import { DifferenceNav } from "./difference-nav.tsx";
import { StepLine } from "./step-line.tsx";

const ROW_HEIGHT = 28;
const OVERSCAN = 16;

/** The virtualized rows of aligned steps. */
export function StepList({ comparison, a, b }: { comparison: StepComparison; a: View; b: View }) {
  const t = useTranslations("compare.steps");
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<StepRow | null>(null);
  const rows = useMemo(() => stepRows(comparison.pairs, opened), [comparison, opened]);
  const starts = useMemo(() => differenceStarts(rows), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const jump = (by: 1 | -1) => {
    const at = selected === null ? -1 : indexOf(rows, selected);
    const next = by === 1 ? starts.find((start) => start > at) : starts.findLast((start) => start < at);
    const index = next ?? (at < 0 ? starts.at(-1) : undefined);
    const row = index === undefined ? undefined : rows[index];
    if (index === undefined || !row) return;
    setSelected(row);
    virtualizer.scrollToIndex(index, { align: "center" });
  };
  const toggle = (id: string) => setOpened((before) => toggled(before, id));
  const pair = selected?.kind === "step" ? selected.pair : null;
  return (
    <div className="grid h-full min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex min-h-[var(--h-toolbar)] flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-1">
        {pair ? <SelectedStep pair={pair} a={a} b={b} /> : <span className="text-fg-3">{t("select")}</span>}
        <span className="flex-1" />
        <DifferenceNav count={starts.length} onJump={jump} />
      </div>
      <div
        ref={scroller}
        tabIndex={0}
        className="relative min-h-0 overflow-auto outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
      >
        {!comparison.complete && (
          <p className="flex items-center gap-1.5 bg-st-waiting-bg px-3 py-1.5 text-pretty text-st-waiting">
            <Icon name="warn" size={14} />
            {t("incomplete")}
          </p>
        )}
        {rows.length === 0 && <Nothing words={t("none")} />}
        <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <li
                  key={index}
                  className="absolute inset-x-0 top-0 h-7"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <StepLine
                    row={row}
                    selected={selected !== null && isSame(row, selected)}
                    onSelect={() => setSelected(row)}
                    onToggle={toggle}
                  />
                </li>
              )
            );
          })}
        </ol>
      </div>
    </div>
  );
}

/** The first row of each run of differences. */
function differenceStarts(rows: readonly StepRow[]): number[] {
  const isDifference = (row: StepRow | undefined) => row?.kind === "step" && row.pair.standing !== "same";
  return rows.flatMap((row, index) => (isDifference(row) && !isDifference(rows[index - 1]) ? [index] : []));
}

/** Folding changes the rows of the same pairs. */
function isSame(row: StepRow, other: StepRow): boolean {
  return row.kind === "step" && other.kind === "step" && row.pair === other.pair;
}

function indexOf(rows: readonly StepRow[], selected: StepRow): number {
  return rows.findIndex((row) => isSame(row, selected));
}

function toggled(opened: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return opened.has(id) ? new Set([...opened].filter((one) => one !== id)) : new Set([...opened, id]);
}

/** Links of the selected row: to either studio, or to the states at its steps. */
function SelectedStep({ pair, a, b }: { pair: StepPair; a: View; b: View }) {
  const t = useTranslations("compare.steps");
  const [, change] = usePlace();
  return (
    <span className="flex flex-wrap items-center gap-3">
      {pair.a && <Opened side="a" id={a.conversation_id} seq={pair.a.seq} />}
      {pair.b && <Opened side="b" id={b.conversation_id} seq={pair.b.seq} />}
      {pair.a && pair.b && (
        <Button onClick={() => change({ tab: "state", steps: { a: pair.a?.seq ?? 0, b: pair.b?.seq ?? 0 } })}>
          {t("stateHere")}
        </Button>
      )}
    </span>
  );
}

function Opened({ side, id, seq }: { side: "a" | "b"; id: string | null; seq: number }) {
  const t = useTranslations("compare");
  return (
    <Link
      href={`/conversations/${encodeURIComponent(id ?? "")}?at=${seq}`}
      className="inline-flex items-center gap-1.5 rounded-1 font-medium text-accent underline underline-offset-3"
    >
      <SideBadge side={side} />
      {t("openAt", { step: seq })}
    </Link>
  );
}
