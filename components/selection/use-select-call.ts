"use client";

import { useCallback } from "react";
import { currentSearch } from "@/components/client/address.ts";
import type { Call } from "@/lib/session/session.ts";
import { useStudioStore } from "../studio/use-studio.ts";
import { resolveSelection } from "./resolve-selection.ts";
import { selectionOf } from "./select-call.ts";
import { parseSelection, useSelection } from "./use-selection.ts";

/** Selects a call and opens it in the inspector; the graph follows to its run and iteration. */
export function useSelectCall(): (call: Call) => void {
  const store = useStudioStore();
  const [, select] = useSelection();
  // Read on use, so that the function's identity is stable.
  return useCallback(
    (call) => {
      const { session, jump } = store.getState();
      const selection = parseSelection(new URLSearchParams(currentSearch()));
      jump(() => select(selectionOf(session, resolveSelection(session, selection), call)));
    },
    [store, select],
  );
}
