"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useAwaiting } from "./use-awaiting.ts";

/** How many decisions are awaited, beside the way to them; nothing while none is. */
export function AwaitingBadge() {
  const t = useTranslations("common.nav");
  const format = useFormatter();
  const count = useAwaiting();
  if (!count) return null;
  return (
    <span className="inline-flex h-4.25 min-w-4.25 items-center justify-center rounded-1 bg-st-waiting-bg px-1 text-11 leading-none font-semibold text-st-waiting tabular-nums">
      <span aria-hidden>{format.number(count)}</span>
      <span className="sr-only">{t("awaiting", { count })}</span>
    </span>
  );
}
