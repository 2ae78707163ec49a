"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { useMemo, useRef, useState } from "react";
import { ShortValue } from "@/components/format/short-value.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { Path } from "@/lib/plan/reference.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { countDifferences, type PairKind, type PairRow, pairRows } from "./pair-rows.ts";
import { usePinnedState } from "./use-pinned-state.ts";
import type { StateView } from "./use-state-view.ts";

const ROW_HEIGHT = 22;
const OVERSCAN = 12;

interface StatePairProps {
  view: StateView;
  /** The pinned step. */
  step: number;
  selected: string | null;
  onPick: (path: Path) => void;
}

/** The state at a pinned step beside that of the current one, with differences marked (C6). */
export function StatePair({ view, step, selected, onPick }: StatePairProps) {
  const t = useTranslations("inspector.pair");
  const { shown, failure, retry } = usePinnedState(step);
  if (failure !== null)
    return (
      <div role="alert" className="flex flex-col items-start gap-2 p-3">
        <p className="text-fg-2">{failure}</p>
        <Button onClick={retry}>{t("retry")}</Button>
      </div>
    );
  if (!shown) return <p className="p-3 text-fg-3">{t("loading", { step })}</p>;
  return (
    <Table
      before={shown.state}
      after={view.state}
      runs={[shown.looked.number, view.looked.number]}
      steps={[step, view.session.at]}
      selected={selected}
      onPick={onPick}
    />
  );
}

interface TableProps {
  before: Json;
  after: Json;
  runs: readonly [number, number];
  steps: readonly [number, number];
  selected: string | null;
  onPick: (path: Path) => void;
}

function Table({ before, after, runs, steps, selected, onPick }: TableProps) {
  const t = useTranslations("inspector.pair");
  const scroller = useRef<HTMLDivElement>(null);
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [onlyChanges, setOnlyChanges] = useState(false);
  const rows = useMemo(
    () => pairRows(before, after, { isOpen: (id, byDefault) => toggled.get(id) ?? byDefault, onlyChanges }),
    [before, after, toggled, onlyChanges],
  );
  const differences = useMemo(() => countDifferences(before, after), [before, after]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    initialRect: { width: 320, height: 400 },
  });
  return (
    <>
      <div className="flex min-h-7.5 phone:min-h-11 flex-none items-center justify-between gap-2 border-line border-b px-3 text-11 text-fg-3">
        <span>
          {steps[0] === steps[1] ? t("move") : differences === 0 ? t("none") : t("differences", { count: differences })}
        </span>
        <label className="inline-flex min-h-6 items-center gap-1.5 text-fg-2">
          <input type="checkbox" checked={onlyChanges} onChange={(event) => setOnlyChanges(event.target.checked)} />
          {t("only")}
        </label>
      </div>
      <div ref={scroller} className="min-h-15 flex-1 overflow-y-auto text-11" tabIndex={-1}>
        <table className="block w-full" aria-label={t("title", { step: steps[0], at: steps[1] })}>
          <thead className="sticky top-0 z-1 block bg-surface">
            <tr className={`${COLUMNS} h-6 border-line border-b text-left text-fg-3`}>
              <th scope="col" className="pl-4 font-normal">
                {t("path")}
              </th>
              {steps.map((step, side) => (
                <th key={side === 0 ? "before" : "after"} scope="col" className="truncate font-normal">
                  <Heading step={step} run={runs[side] ?? 0} isOther={runs[0] !== runs[1]} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="relative block" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index];
              if (!row) return null;
              return (
                <Row
                  key={key}
                  row={row}
                  top={start}
                  isSelected={row.id === selected}
                  onToggle={() => setToggled((known) => new Map(known).set(row.id, !row.expanded))}
                  onPick={() => onPick(row.path)}
                />
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

const COLUMNS = "grid grid-cols-[minmax(0,38%)_minmax(0,31%)_minmax(0,31%)] items-center";

function Heading({ step, run, isOther }: { step: number; run: number; isOther: boolean }) {
  const t = useTranslations("inspector.pair");
  const jump = useStudio((state) => state.jump);
  return (
    <button
      type="button"
      onClick={() => jump(step)}
      className="min-h-6 max-w-full truncate font-medium text-fg tabular-nums hover:underline"
    >
      {t("step", { step })}
      {isOther && run > 0 && <span className="font-normal text-fg-3"> · {t("run", { run })}</span>}
    </button>
  );
}

const LOOK = {
  same: { sign: "", ground: "hover:bg-hover", ink: "" },
  add: { sign: "+", ground: "bg-add-bg", ink: "text-add" },
  change: { sign: "~", ground: "bg-chg-bg", ink: "text-chg" },
  remove: { sign: "−", ground: "bg-del-bg", ink: "text-del" },
} as const satisfies Record<PairKind, object>;

interface RowProps {
  row: PairRow;
  top: number;
  isSelected: boolean;
  onToggle: () => void;
  onPick: () => void;
}

function Row({ row, top, isSelected, onToggle, onPick }: RowProps) {
  const t = useTranslations("inspector.pair");
  const { sign, ground, ink } = LOOK[row.kind];
  const name = String(row.path.at(-1) ?? "");
  return (
    <tr
      data-kind={row.kind}
      className={`${COLUMNS} absolute inset-x-0 top-0 h-[22px] font-mono ${isSelected ? "bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]" : ground}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <th
        scope="row"
        className="flex min-w-0 items-center font-normal"
        style={{ paddingInlineStart: 16 + row.depth * 14 }}
      >
        <span className={`absolute left-1 w-2.5 text-center font-bold ${ink}`}>
          <span aria-hidden>{sign}</span>
          {row.kind !== "same" && <span className="sr-only">{t(row.kind)}</span>}
        </span>
        <span className="inline-flex w-3.5 flex-none text-fg-3">
          {row.expandable && (
            <button
              type="button"
              aria-expanded={row.expanded}
              aria-label={row.expanded ? t("close", { name }) : t("open", { name })}
              onClick={onToggle}
              className="inline-flex h-5 items-center"
            >
              <Icon name={row.expanded ? "down" : "right"} size={12} />
            </button>
          )}
        </span>
        <button type="button" onClick={onPick} className="min-w-0 truncate py-0.5 text-fg hover:underline">
          {name}
        </button>
      </th>
      <Value value={row.before} isOpen={row.expanded} />
      <Value value={row.after} isOpen={row.expanded} />
    </tr>
  );
}

function Value({ value, isOpen }: { value: Json | undefined; isOpen: boolean }) {
  const t = useTranslations("inspector.pair");
  return (
    <td className="truncate pr-2 text-fg">
      {value === undefined ? (
        <span className="text-fg-3">
          <span aria-hidden>—</span>
          <span className="sr-only">{t("absent")}</span>
        </span>
      ) : (
        !(isOpen && typeof value === "object" && value !== null) && <Plain value={value} />
      )}
    </td>
  );
}

function Plain({ value }: { value: Json }) {
  if (typeof value === "string" || typeof value === "number") return JSON.stringify(value);
  return <ShortValue value={value} />;
}
