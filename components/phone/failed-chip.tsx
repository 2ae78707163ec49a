"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { rootRun } from "@/components/studio/looked-at.ts";
import { useSelection } from "@/components/studio/use-selection.ts";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";

/** How often something went wrong, and the way to what did: the next error, round at the end, and its call. */
export function FailedChip() {
  const t = useTranslations("studio.phone");
  const store = useStudioStore();
  const [, select] = useSelection();
  const rows = useStudio((state) => state.timeline);
  const errors = useMemo(() => (rows ?? []).filter(({ error }) => error), [rows]);
  if (errors.length === 0) return null;
  const show = () => {
    const { at, session, seek, jump } = store.getState();
    const next = errors.find(({ seq }) => seq > at) ?? errors[0];
    if (!next) return;
    jump(() => {
      seek(next.seq);
      const run = rootRun(session, next.run ?? "")?.id ?? next.run;
      select(next.call ? { call: next.call.id, run, iteration: null, tab: "call" } : { tab: "event" });
    });
  };
  return (
    <button
      type="button"
      onClick={show}
      aria-label={t("showFailed", { count: errors.length })}
      className="inline-flex h-11 flex-none items-center gap-1.5 rounded-2 bg-st-failed-bg px-2.5 font-medium text-st-failed whitespace-nowrap tabular-nums"
    >
      <Icon name="failed" />
      {t("failed", { count: errors.length })}
    </button>
  );
}
