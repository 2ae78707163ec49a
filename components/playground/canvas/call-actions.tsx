"use client";

import { useTranslations } from "next-intl";
import { MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import type { PlanEditor } from "./use-plan-editor.ts";

interface CallActionsProps {
  /** At least one. */
  ids: readonly string[];
  editor: PlanEditor;
  /** Opens the dialog for an edge from a call. */
  onConnect: (from: string) => void;
  onCopy: (ids: readonly string[]) => void;
}

/** The items of a menu of calls. */
export function CallActions({ ids, editor, onConnect, onCopy }: CallActionsProps) {
  const t = useTranslations("playground.form");
  const [first = ""] = ids;
  return (
    <>
      {ids.length === 1 && (
        <>
          <MenuItem onSelect={() => onConnect(first)}>{t("connect")}</MenuItem>
          <MenuItem onSelect={() => editor.addAlternative(first, "branch")}>{t("addBranch")}</MenuItem>
          <MenuItem onSelect={() => editor.addAlternative(first, "error")}>{t("addError")}</MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem onSelect={() => editor.duplicate(ids)}>{t("duplicate")}</MenuItem>
      <MenuItem onSelect={() => onCopy(ids)}>{t("copy")}</MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => editor.remove(ids)}>{t("delete")}</MenuItem>
    </>
  );
}
