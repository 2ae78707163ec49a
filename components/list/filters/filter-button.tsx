"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Panel } from "@/components/ui/panel.tsx";
import type { Filters } from "./filters.ts";

const FilterPanel = dynamic(() => import("./filter-panel.tsx").then((module) => module.FilterPanel), {
  loading: () => null,
});

/** The id of the button, for others that lead to its panel. */
export const MORE_FILTERS = "more-filters";

const BUTTON =
  "inline-flex h-7.5 phone:h-11 flex-none items-center gap-1.25 rounded-2 border border-line-strong pr-1.75 pl-2.25 whitespace-nowrap text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active aria-expanded:text-fg";

interface FilterButtonProps {
  filters: Filters;
  onChange: (part: Partial<Filters>) => void;
}

/** A button with all further filters. */
export function FilterButton({ filters, onChange }: FilterButtonProps) {
  const t = useTranslations("list.more");
  return (
    <Panel
      id={MORE_FILTERS}
      label={t("title")}
      width="w-100"
      className={BUTTON}
      trigger={
        <>
          <Icon name="filter" size={14} />
          {t("open")}
        </>
      }
    >
      {(close) => (
        <FilterPanel
          filters={filters}
          onChange={(part) => {
            close();
            onChange(part);
          }}
        />
      )}
    </Panel>
  );
}
