"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Panel } from "@/components/ui/panel.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import type { Display, ListState } from "../filters/filters.ts";
import { TAB_BUTTON } from "../views/views-button.tsx";

const DisplayPanel = dynamic(() => import("./display-panel.tsx").then((module) => module.DisplayPanel), {
  loading: () => null,
});

interface DisplayButtonProps {
  state: ListState;
  rows: readonly Conversation[];
  onChange: (part: Partial<Display>) => void;
}

/** A button with the order and the columns of the list. */
export function DisplayButton({ state, rows, onChange }: DisplayButtonProps) {
  const t = useTranslations("list.display");
  return (
    <Panel
      label={t("title")}
      width="w-75"
      align="end"
      className={TAB_BUTTON}
      trigger={
        <>
          <Icon name="settings" size={14} />
          <span className="narrow:sr-only">{t("open")}</span>
        </>
      }
    >
      {() => <DisplayPanel state={state} rows={rows} onChange={onChange} />}
    </Panel>
  );
}
