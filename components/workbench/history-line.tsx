"use client";

import { useTranslations } from "next-intl";
import type { HistoryReport } from "@/lib/prompt/prompt.ts";

interface HistoryLineProps {
  history: HistoryReport;
  /** It goes to the model beside the prompt. */
  isBeside: boolean;
}

/** How much of the history the prompt has, and what was cut. */
export function HistoryLine({ history, isBeside }: HistoryLineProps) {
  const t = useTranslations("workbench.result.history");
  const { total, shown, truncated, original_tokens, final_tokens, before, after, shortened } = history;
  if (before.messages === 0)
    return (
      <p className="px-3 pb-2 text-11 text-fg-3">
        {total === 0 ? t("none") : t(isBeside ? "beside" : "unused", { total })}
      </p>
    );
  const leftOut = before.messages - after.messages;
  return (
    <p className="flex flex-wrap gap-x-3 px-3 pb-2 text-11 tabular-nums">
      <span className="text-fg-2">{t("shown", { shown, total })}</span>
      {truncated ? (
        <>
          <span className="text-st-waiting">{t("cut", { leftOut, shortened: shortened.length })}</span>
          <span className="text-fg-3">{t("tokens", { from: original_tokens, to: final_tokens })}</span>
        </>
      ) : (
        <span className="text-fg-3">{t("whole")}</span>
      )}
    </p>
  );
}
