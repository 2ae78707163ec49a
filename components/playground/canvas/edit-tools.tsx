"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import type { PlanEditor } from "./use-plan-editor.ts";

interface EditToolsProps {
  editor: PlanEditor;
  /** The palette is open. */
  isAdding: boolean;
  onAdd: () => void;
}

/** It keeps the focus when there is nothing left to undo. */
const OFF = "aria-disabled:cursor-default aria-disabled:text-fg-off";

/** Undo, redo, and the button of the palette. */
export function EditTools({ editor, isAdding, onAdd }: EditToolsProps) {
  const t = useTranslations("playground.draw");
  const { canEdit, history, undo, redo } = editor;
  return (
    <div className="pl-edit">
      <Tooltip text={t("undo")} shortcut="Ctrl Z">
        <Button
          variant="ghost"
          square
          aria-label={t("undo")}
          aria-disabled={!history.undo}
          className={OFF}
          onClick={undo}
        >
          <Icon name="undo" />
        </Button>
      </Tooltip>
      <Tooltip text={t("redo")} shortcut="Ctrl Shift Z">
        <Button
          variant="ghost"
          square
          aria-label={t("redo")}
          aria-disabled={!history.redo}
          className={OFF}
          onClick={redo}
        >
          <Icon name="redo" />
        </Button>
      </Tooltip>
      <Tooltip text={t("addTitle")} shortcut="/">
        <Button
          className="ml-1"
          pressed={isAdding}
          disabled={!canEdit}
          aria-label={t("add")}
          aria-keyshortcuts="/"
          onClick={onAdd}
        >
          <Icon name="plus" size={14} />
          <span className="pl-word">{t("add")}</span>
        </Button>
      </Tooltip>
    </div>
  );
}
