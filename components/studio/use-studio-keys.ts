"use client";

import { useEffect } from "react";
import { currentSearch } from "@/components/client/address.ts";
import { isTyping } from "@/components/shell/is-typing.ts";
import { parseSelection, useSelection } from "./use-selection.ts";
import { useStudioStore } from "./use-studio.ts";

/** The studio's own keys: Escape clears what is selected, L goes live. */
export function useStudioKeys(): void {
  const store = useStudioStore();
  const [, select] = useSelection();
  // The outside system is the keyboard, page-wide.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event) || document.querySelector(":popover-open[role=menu]")) return;
      const { call, path, node } = parseSelection(new URLSearchParams(currentSearch()));
      const isAny = call !== null || path !== null || node !== null;
      if (event.key === "Escape" && isAny) select({ call: null, path: null, node: null });
      else if (event.key.toLowerCase() === "l") store.getState().goLive();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [store, select]);
}
