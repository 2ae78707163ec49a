"use client";

import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { EDITOR_ID, SEARCH_ID } from "./ids.ts";

/** `E` leads to the template, `/` to the search for a conversation. */
export function useWorkbenchKeys(): void {
  useShortcuts({
    edit: () => document.getElementById(EDITOR_ID)?.focus(),
    search: () => document.getElementById(SEARCH_ID)?.focus(),
  });
}
