"use client";

import { useTranslations } from "next-intl";
import { Tabs } from "@/components/ui/tabs.tsx";
import { TABS, type Tab } from "./place.ts";

/** What the ids of the tabs and of their panel begin with. */
export const COMPARE_TABS = "compare";

interface CompareTabsProps {
  tab: Tab;
  /** How many differences each has, where that is known. */
  counts: Partial<Record<Tab, number>>;
  onChange: (tab: Tab) => void;
}

/** What can be compared, as tabs. */
export function CompareTabs({ tab, counts, onChange }: CompareTabsProps) {
  const t = useTranslations("compare.tab");
  return (
    <Tabs
      id={COMPARE_TABS}
      label={t("label")}
      value={tab}
      tabs={TABS.map((value) => ({
        value,
        label: (
          <>
            {t(value)}
            {counts[value] !== undefined && <span className="font-normal text-fg-3 tabular-nums">{counts[value]}</span>}
          </>
        ),
      }))}
      onChange={onChange}
      className="h-[var(--h-toolbar)] flex-none overflow-x-auto border-line border-b px-1"
    />
  );
}
