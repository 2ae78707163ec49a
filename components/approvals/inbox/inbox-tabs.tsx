"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useFacets } from "@/components/list/filters/use-facets.ts";
import { Link } from "@/components/ui/link.tsx";
import { STATUSES, type Status } from "../place.ts";

interface InboxTabsProps {
  current: Status | "alerts";
  onShow: (status: Status) => void;
}

const TAB =
  "inline-flex h-9 flex-none items-center gap-1.5 border-transparent border-b-2 whitespace-nowrap text-fg-2 hover:text-fg focus-visible:shadow-[inset_0_0_0_2px_var(--accent)] aria-pressed:border-fg aria-pressed:font-medium aria-pressed:text-fg aria-[current=page]:border-fg aria-[current=page]:font-medium aria-[current=page]:text-fg";

/** The tabs of pending, approved and denied approvals, and of alerts. */
export function InboxTabs({ current, onShow }: InboxTabsProps) {
  const t = useTranslations("approvals.tabs");
  const facets = useFacets();
  return (
    <fieldset
      aria-label={t("label")}
      className="inbox-tabs flex min-w-0 flex-none items-center gap-5 fade-x overflow-x-auto border-line-strong border-b px-3"
    >
      {STATUSES.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === current}
          onClick={() => onShow(status)}
          className={TAB}
        >
          {t(status)}
          {status === "requested" && <Count of={facets?.awaiting} />}
        </button>
      ))}
      <Link href="/approvals/alerts" aria-current={current === "alerts" ? "page" : undefined} className={TAB}>
        {t("alerts")}
        <Count of={facets?.alerts} />
      </Link>
    </fieldset>
  );
}

/** A count; nothing while unknown. */
function Count({ of }: { of: number | undefined }) {
  const format = useFormatter();
  return of === undefined ? null : <span className="font-normal text-fg-3 tabular-nums">{format.number(of)}</span>;
}
