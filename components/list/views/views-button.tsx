"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Panel } from "@/components/ui/panel.tsx";
import { BAR_BUTTON } from "../filters/filter-button.tsx";
import { type ListState, withFilters } from "../filters/filters.ts";
import { isSameQuery } from "./same-query.ts";
import { useViews } from "./use-views.ts";

const ViewsPanel = dynamic(() => import("./views-panel.tsx").then((module) => module.ViewsPanel));

interface ViewsButtonProps {
  state: ListState;
  onChange: (state: ListState) => void;
}

/** A button with the saved views of the list; it has the name of the one that is shown. */
export function ViewsButton({ state, onChange }: ViewsButtonProps) {
  const t = useTranslations("list.views");
  const query = withFilters(new URLSearchParams(), state).slice(1);
  const views = useViews(query !== "");
  const current = query === "" ? undefined : views?.items.find((view) => isSameQuery(view.query, query));
  return (
    <Panel
      label={t("title")}
      width="w-85"
      className={BAR_BUTTON}
      trigger={
        <>
          <Icon name="bookmark" size={14} />
          <span className="max-w-40 truncate">{current?.name ?? t("open")}</span>
          <Icon name="down" size={12} />
        </>
      }
    >
      {(close) => (
        <ViewsPanel
          query={query}
          onChoose={(chosen) => {
            close();
            onChange(chosen);
          }}
        />
      )}
    </Panel>
  );
}
