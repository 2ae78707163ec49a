"use client";

import { useTranslations } from "next-intl";
import type { Marks } from "./use-marks.ts";

/** Marks all that is shown, or nothing; says how much is marked. */
export function MarkAll({ marks: { marked, waiting, markAll, clear } }: { marks: Marks }) {
  const t = useTranslations("approvals");
  const all = waiting > 0 && marked.length === waiting;
  return (
    <label className="mark-all flex h-8 flex-none items-center gap-2 border-line border-b bg-canvas pr-3 pl-3.5 text-11 text-fg-3">
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = marked.length > 0 && !all;
        }}
        checked={all}
        disabled={waiting === 0}
        onChange={() => (all ? clear() : markAll())}
        className="checkbox"
      />
      <span className="min-w-0 truncate">
        {marked.length > 0 ? t("marked", { count: marked.length }) : t("markAll", { count: waiting })}
      </span>
    </label>
  );
}
