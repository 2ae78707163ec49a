"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useLiveRefresh } from "@/components/client/use-live-refresh.ts";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { useFacets } from "@/components/list/filters/use-facets.ts";
import type { Facets } from "@/lib/api/shapes.ts";

/** The number of pending approvals and open alerts, in the navigation; nothing for none. */
export function PendingBadge() {
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

/** Minimum time between two counts, ms. */
const PACE = 1_000;

/** Events that change one of the counts. */
const COUNTED = /^(confirmation\.|manager\.alerted$|conversation\.handed_back$)/;

/** Pending approvals and open alerts of the whole server, live; undefined until loaded. */
function useAwaiting(): Pick<Facets, "awaiting" | "alerts"> | undefined {
  useLiveRefresh({ keys: [FACETS_KEY], pace: PACE, concerns: ({ type }) => COUNTED.test(type) });
  return useFacets();
}
