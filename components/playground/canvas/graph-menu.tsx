"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from "react";
import { ContextMenu, MenuItem } from "@/components/ui/menu.tsx";
import { CallActions } from "./call-actions.tsx";
import type { Clipboard } from "./use-clipboard.ts";
import type { PlanEditor } from "./use-plan-editor.ts";
import type { SelectedCalls } from "./use-selected-calls.ts";

interface GraphMenuProps {
  editor: PlanEditor;
  clipboard: Clipboard;
  selected: SelectedCalls;
  /** Ids of the calls of an element of the graph; none for the ground. */
  callsAt: (target: EventTarget) => readonly string[];
  onAdd: () => void;
  onConnect: (from: string) => void;
}

interface OpenedMenu {
  at: { x: number; y: number };
  on: "calls" | "ground";
}

/**
 * The menu of the selected calls, or of the ground: opened with the right button, Shift+F10 or the menu key. Returns the
 * handlers of the graph, and the menu.
 */
export function useGraphMenu({ editor, clipboard, selected, callsAt, onAdd, onConnect }: GraphMenuProps) {
  const t = useTranslations("playground.draw");
  const [opened, setOpened] = useState<OpenedMenu | null>(null);
  const open = (target: EventTarget, at: OpenedMenu["at"]) => {
    const ids = callsAt(target);
    if (ids.some((id) => !selected.ids.includes(id))) selected.only(ids);
    setOpened({ at, on: ids.length > 0 ? "calls" : "ground" });
  };
  const onContextMenu = (event: MouseEvent) => {
    if (!editor.canEdit || !isCanvas(event.target)) return;
    event.preventDefault();
    const { target, clientX: x, clientY: y } = event;
    // The button that is still held would close the menu when it is released.
    if (event.buttons === 0) open(target, { x, y });
    else addEventListener("pointerup", () => setTimeout(() => open(target, { x, y })), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isMenuKey = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
    if (!isMenuKey || !editor.canEdit || !isCanvas(event.target)) return;
    // Not every system turns these keys into a contextmenu event.
    event.preventDefault();
    const { left, top, width, height } = event.target.getBoundingClientRect();
    open(event.target, { x: left + Math.min(width / 2, 40), y: top + height });
  };
  const menu: ReactNode = opened && (
    <ContextMenu label={t("menu")} at={opened.at} onClose={() => setOpened(null)}>
      {opened.on === "calls" && selected.ids.length > 0 ? (
        <CallActions ids={selected.ids} editor={editor} onConnect={onConnect} onCopy={clipboard.copy} />
      ) : (
        <>
          <MenuItem onSelect={onAdd}>{t("addTitle")}</MenuItem>
          <MenuItem onSelect={clipboard.paste}>{t("paste")}</MenuItem>
        </>
      )}
    </ContextMenu>
  );
  return { onContextMenu, onKeyDown, menu };
}

function isCanvas(target: EventTarget): target is Element {
  return target instanceof Element && target.closest(".react-flow, .pg-empty") !== null;
}
