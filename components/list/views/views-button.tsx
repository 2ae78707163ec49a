"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Panel } from "@/components/ui/panel.tsx";
import { type ListState, withFilters } from "../filters/filters.ts";
import { isSameQuery } from "./same-query.ts";
import { useViews } from "./use-views.ts";

const ViewsPanel = dynamic(() => import("./views-panel.tsx").then((module) => module.ViewsPanel), {
  loading: () => null,
});

/** The look of the buttons beside the tabs; on narrow screens they are icons. */
export const TAB_BUTTON =
  "inline-flex h-6.5 phone:size-11 flex-none items-center justify-center gap-1.25 rounded-2 px-1.75 whitespace-nowrap text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active aria-expanded:text-fg";

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
      align="end"
      className={TAB_BUTTON}
      trigger={
        <>
          <Icon name="bookmark" size={14} />
          <span className="narrow:sr-only max-w-40 truncate">{current?.name ?? t("open")}</span>
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
