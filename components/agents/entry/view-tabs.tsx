"use client";

import { useTranslations } from "next-intl";
import { Tabs } from "@/components/ui/tabs.tsx";
import type { View } from "../selection.ts";

/** What the ids of the tabs and of their panel begin with. */
export const VIEW_TABS = "agent-view";

interface ViewTabsProps {
  views: readonly View[];
  view: View;
  onChange: (view: View) => void;
}

/** The ways to look at a value, as tabs. */
export function ViewTabs({ views, view, onChange }: ViewTabsProps) {
  const t = useTranslations("agents.view");
  return (
    <Tabs
      id={VIEW_TABS}
      label={t("label")}
      value={view}
      tabs={views.map((value) => ({ value, label: t(value) }))}
      onChange={onChange}
      className="h-[var(--h-toolbar)] flex-none border-line border-b px-2"
      look="-mb-px px-2"
    />
  );
}
