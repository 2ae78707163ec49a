"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import type { Clipboard } from "./use-clipboard.ts";
import type { PlanEditor } from "./use-plan-editor.ts";
import type { SelectedCalls } from "./use-selected-calls.ts";

interface SelectionBarProps {
  selected: SelectedCalls;
  editor: PlanEditor;
  clipboard: Clipboard;
}

/** How many calls are selected, and what can be done with them. */
export function SelectionBar({ selected, editor, clipboard }: SelectionBarProps) {
  const t = useTranslations("playground.draw");
  const tForm = useTranslations("playground.form");
  const { ids, only } = selected;
  return (
    <section aria-label={t("selection")} className="pl-selection">
      <span role="status" className="px-2 whitespace-nowrap tabular-nums">
        {t("selected", { count: ids.length })}
      </span>
      <Button variant="ghost" disabled={!editor.canEdit} onClick={() => editor.duplicate(ids)}>
        {tForm("duplicate")}
      </Button>
      <Button variant="ghost" onClick={() => clipboard.copy(ids)}>
        {tForm("copy")}
      </Button>
      <Button variant="ghost" disabled={!editor.canEdit} onClick={() => editor.remove(ids)}>
        {tForm("delete")}
      </Button>
      <IconButton icon="close" name={t("unselect")} onClick={() => only(ids.slice(0, 1))} />
    </section>
  );
}
