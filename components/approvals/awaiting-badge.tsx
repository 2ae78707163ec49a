"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useAwaiting } from "./use-awaiting.ts";

/** How many decisions are awaited, and managers called, beside the way to them; nothing while none is. */
export function AwaitingBadge() {
  const facets = useAwaiting();
  return (
    <>
      <Badge kind="awaiting" count={facets?.awaiting ?? 0} />
      <Badge kind="alerts" count={facets?.alerts ?? 0} />
    </>
  );
}

const LOOK = {
  awaiting: "bg-st-waiting-bg text-st-waiting",
  alerts: "bg-st-escalated-bg text-st-escalated",
} as const;

function Badge({ kind, count }: { kind: keyof typeof LOOK; count: number }) {
  const t = useTranslations("common.nav");
  const format = useFormatter();
  if (count === 0) return null;
  return (
    <span
      title={t(kind, { count })}
      className={`inline-flex h-4.25 min-w-4.25 items-center justify-center rounded-1 px-1 text-11 leading-none font-semibold tabular-nums ${LOOK[kind]}`}
    >
      <span aria-hidden>{format.number(count)}</span>
      <span className="sr-only">{t(kind, { count })}</span>
    </span>
  );
}
