"use client";

import { currentSearch } from "@/components/client/address.ts";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { parseSelection, useSelection } from "../selection/use-selection.ts";
import { useStudioStore } from "./use-studio.ts";

/** The studio's own keys: Escape clears what is selected, L goes live. */
export function useStudioKeys(): void {
  const store = useStudioStore();
  const [, select] = useSelection();
  useShortcuts({
    close: () => {
      const { call, path, node } = parseSelection(new URLSearchParams(currentSearch()));
      if (call === null && path === null && node === null) return false;
      select({ call: null, path: null, node: null });
    },
    live: () => store.getState().jump(store.getState().goLive),
  });
}
