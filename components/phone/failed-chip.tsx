"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useGoToFinding } from "@/components/selection/use-go-to-finding.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";

/** What is shown of an error that no call had. */
const EVENT = { tab: "event" } as const;

/** How often something went wrong, and the way to what did: the next error, round at the end, and its call. */
export function FailedChip() {
  const t = useTranslations("studio.phone");
  const goTo = useGoToFinding(EVENT);
  const rows = useStudio((state) => state.timeline);
  const long = useStudio((state) => state.long);
  const count = useMemo(() => long?.errors ?? (rows ?? []).filter(({ error }) => error).length, [rows, long]);
  if (count === 0) return null;
  return (
    <button
      type="button"
      onClick={() => goTo("error", 1)}
      aria-label={t("showFailed", { count })}
      className="inline-flex h-11 flex-none items-center gap-1.5 rounded-2 bg-st-failed-bg px-2.5 font-medium text-st-failed whitespace-nowrap tabular-nums"
    >
      <Icon name="failed" />
      {t("failed", { count })}
    </button>
  );
}
