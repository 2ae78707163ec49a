"use client";

import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/inspector/copy-button.tsx";
import { BudgetBar } from "@/components/prompt/budget-bar.tsx";
import { PromptText } from "@/components/prompt/prompt-text.tsx";
import { PromptWarnings } from "@/components/prompt/prompt-warnings.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { HistoryReport } from "@/lib/prompt/prompt.ts";
import { budgetOf } from "./budget-of.ts";
import type { Rendered } from "./use-rendered.ts";

interface ResultPaneProps {
  rendered: Rendered;
  /** The template is empty. */
  empty: boolean;
  /** The history is sent separately from the prompt. */
  isBeside: boolean;
  /** Goes to a placeholder in the template. */
  onPick: (placeholder: string) => void;
}

/** The rendered prompt with sources, token estimate and warnings. */
export function ResultPane({ rendered, empty, isBeside, onPick }: ResultPaneProps) {
  const t = useTranslations("workbench.result");
  const { prompt, stale, faults, failure } = rendered;
  const refused = faults.length > 0;
  const why = failure ? t("unreachable") : refused ? t(prompt ? "refused" : "refusedFirst") : "";
  const unplaced = faults.filter(({ field }) => field === null);
  return (
    <section
      aria-labelledby="result-title"
      aria-busy={stale && !refused && !failure}
      className="flex min-h-0 min-w-0 flex-1 flex-col border-line-strong border-l max-md:min-h-dvh max-md:border-t max-md:border-l-0"
    >
      <div className="flex min-h-[var(--h-toolbar)] flex-none items-center gap-2 border-line border-b pr-2 pl-3">
        <h2 id="result-title" className="font-semibold">
          {t("title")}
        </h2>
        <span role="status" className="text-11 text-st-failed">
          {!empty && why}
        </span>
        {stale && !empty && why === "" && (
          // Usually too short to show.
          <span aria-hidden className="text-11 text-fg-3 transition-opacity delay-400 duration-0 starting:opacity-0">
            {t("rendering")}
          </span>
        )}
        <span className="flex-1" />
        {prompt && <CopyButton text={() => prompt.prompt} label={t("copy")} worded />}
      </div>
      {unplaced.map(({ message }) => (
        <p key={message} role="alert" className="bg-st-failed-bg px-3 py-2 text-pretty text-st-failed wrap-anywhere">
          {message}
        </p>
      ))}
      {empty ? (
        <EmptyState icon="pencil" title={t("nothing")} heading="h3">
          {t("nothingWhy")}
        </EmptyState>
      ) : !prompt ? (
        <Skeleton busy={!refused && !failure} />
      ) : (
        <>
          <PromptWarnings warnings={prompt.warnings} parts={prompt.parts} onPick={onPick} />
          <div className="flex-none border-line border-b">
            <BudgetBar budget={budgetOf(prompt, prompt.limit)} title={t("tokens")} />
            <HistoryLine history={prompt.history} isBeside={isBeside} />
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
            <PromptText prompt={prompt.prompt} parts={prompt.parts} />
          </div>
        </>
      )}
    </section>
  );
}

/** The skeleton of the prompt. */
function Skeleton({ busy }: { busy: boolean }) {
  return (
    <div aria-hidden className={`flex flex-col gap-2 p-3 ${busy ? "animate-pulse-soft" : ""}`}>
      {["w-3/4", "w-5/6", "w-2/3", "w-4/5", "w-1/2"].map((width) => (
        <span key={width} className={`h-3 rounded-1 bg-sunken ${width}`} />
      ))}
    </div>
  );
}

interface HistoryLineProps {
  history: HistoryReport;
  /** The history is sent separately. */
  isBeside: boolean;
}

/** How much of the history is in the prompt, and what was truncated. */
function HistoryLine({ history, isBeside }: HistoryLineProps) {
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
