"use client";

import { useEffect, useEffectEvent } from "react";
import { copyText } from "@/components/ui/copy-text.ts";
import type { PlanEditor } from "./use-plan-editor.ts";

/** Fields and dialogs have a clipboard of their own. */
const OTHERS = "input, textarea, select, [contenteditable=true], dialog";

/** Copying and pasting by a menu. */
export interface Clipboard {
  copy(ids: readonly string[]): void;
  /** Pastes after the selected calls, if the browser lets the page read the clipboard. */
  paste(): void;
}

/** Copies, cuts and pastes calls with the browser's own keys, unless text is selected or a field has the focus. */
export function useClipboard(editor: PlanEditor, selected: readonly string[]): Clipboard {
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    if (selected.length === 0 || isOthers(event) || !window.getSelection()?.isCollapsed) return;
    const text = editor.copy(selected);
    if (text === null) return;
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    if (event.type === "cut") editor.remove(selected);
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isOthers(event) && editor.canEdit && editor.paste(text)) event.preventDefault();
  });
  // The outside system is the clipboard.
  useEffect(() => {
    const copy = (event: ClipboardEvent) => onCopy(event);
    const paste = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener("copy", copy);
    document.addEventListener("cut", copy);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", copy);
      document.removeEventListener("paste", paste);
    };
  }, []);
  return {
    copy(ids) {
      const text = editor.copy(ids);
      if (text !== null) void copyText(text);
    },
    paste: () => void readClipboard().then((text) => editor.pasteText(text)),
  };
}

function isOthers({ target }: ClipboardEvent): boolean {
  return target instanceof Element && target.closest(OTHERS) !== null;
}

/** The clipboard's text; null if the browser does not let the page read it, or has none without encryption. */
async function readClipboard(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}
