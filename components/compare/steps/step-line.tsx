"use client";

import { useTranslations } from "next-intl";
import { useEventName } from "@/components/timeline/use-event-name.ts";
import { Icon } from "@/components/ui/icon.tsx";
import type { StepRow } from "@/lib/session/compare/steps.ts";
import type { TimelineRow } from "@/lib/session/timeline/timeline.ts";
import { DifferenceMark, LOOK } from "../difference-mark.tsx";

interface StepLineProps {
  row: StepRow;
  selected: boolean;
  onSelect: () => void;
  onToggle: (fold: string) => void;
}

/** A row: a step of each side, or the number of equal steps. */
export function StepLine({ row, selected, onSelect, onToggle }: StepLineProps) {
  const t = useTranslations("compare.steps");
  if (row.kind === "fold")
    return (
      <button
        type="button"
        aria-expanded={row.open}
        onClick={() => onToggle(row.id)}
        className="flex h-full w-full items-center gap-1.5 border-line border-y bg-canvas px-1.5 text-fg-3 hover:bg-hover hover:text-fg"
      >
        <Icon name={row.open ? "down" : "right"} size={12} />
        {t("same", { count: row.count })}
      </button>
    );
  const { a, b, standing } = row.pair;
  return (
    <button
      type="button"
      aria-pressed={selected}
      onClick={onSelect}
      className={`grid h-full w-full grid-cols-[20px_minmax(0,1fr)_minmax(0,1fr)] items-center text-left aria-pressed:shadow-[inset_2px_0_0_var(--accent)] ${selected ? "bg-accent-soft" : `${LOOK[standing].ground} hover:bg-hover`}`}
    >
      <DifferenceMark standing={standing} className="ml-1.5" />
      <Step row={a} />
      <Step row={b} />
    </button>
  );
}

function Step({ row }: { row: TimelineRow | null }) {
  const name = useEventName();
  const missing = useTranslations("compare")("missing");
  if (!row)
    return (
      <span>
        <span className="sr-only">{missing}</span>
      </span>
    );
  return (
    <span className="flex min-w-0 items-baseline gap-2 px-2">
      <span className="w-11 flex-none text-right font-mono text-11 text-fg-3 tabular-nums">{row.seq}</span>
      <span className={`min-w-0 truncate ${row.error ? "text-st-failed" : ""}`}>{name(row.type)}</span>
      {row.call && (
        <span className="min-w-0 truncate font-mono text-11 text-fg-2">
          {row.call.tool} {row.call.instance}
        </span>
      )}
    </span>
  );
}
