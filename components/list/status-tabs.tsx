"use client";

import { useFormatter, useTranslations } from "next-intl";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Facets } from "@/lib/api/shapes.ts";
import { type Filters, STATUSES } from "./filters/filters.ts";

interface StatusTabsProps {
  current: Filters["status"];
  /** Undefined while other filters are set, because only unfiltered counts exist. */
  counts: Facets | undefined;
  onChange: (status: Filters["status"]) => void;
}

/** Tabs by status, with the number of conversations. */
export function StatusTabs({ current, counts, onChange }: StatusTabsProps) {
  const t = useTranslations("list");
  const format = useFormatter();
  const tabs = [
    { status: "", count: counts?.total },
    ...STATUSES.map((status) => ({ status, count: counts?.statuses[status] })),
  ] as const;
  return (
    <fieldset aria-label={t("tabs.label")} className="flex min-w-0 items-center gap-6 fade-x overflow-x-auto px-3">
      {tabs.map(({ status, count }) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === current}
          onClick={() => onChange(status)}
          className="inline-flex h-9 phone:h-11 phone:min-w-11 flex-none items-center gap-1.5 border-transparent border-b-2 whitespace-nowrap text-fg-2 hover:text-fg focus-visible:shadow-[inset_0_0_0_2px_var(--accent)] aria-pressed:border-fg aria-pressed:font-medium aria-pressed:text-fg"
        >
          {status !== "" && <StatusIcon status={status} size={14} />}
          {status === "" ? t("tabs.all") : t(`tabs.${status}`)}
          {count !== undefined && <span className="font-normal text-fg-3 tabular-nums">{format.number(count)}</span>}
        </button>
      ))}
    </fieldset>
  );
}
