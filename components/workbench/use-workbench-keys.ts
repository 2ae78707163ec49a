"use client";

import { useEffect } from "react";
import { isTyping } from "@/components/shell/is-typing.ts";
import { EDITOR_ID, SEARCH_ID } from "./ids.ts";

/** Where a key leads. */
const FIELDS: Partial<Record<string, string>> = { KeyE: EDITOR_ID, Slash: SEARCH_ID };

/** `E` leads to the template, `/` to the search for a conversation, whatever the keyboard's language. */
export function useWorkbenchKeys(): void {
  // The outside system is the keyboard.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const field = document.getElementById(FIELDS[event.code] ?? "");
      if (!field || event.shiftKey || isTyping(event)) return;
      event.preventDefault();
      field.focus();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
