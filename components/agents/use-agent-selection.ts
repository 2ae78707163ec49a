"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { type AgentSelection, parseSelection, withSelection } from "./selection.ts";

/** The selection and its setter. Another agent or key adds a history entry; any other change replaces the address. */
export function useAgentSelection(): [AgentSelection, (change: Partial<AgentSelection>) => void] {
  const params = useSearchParams();
  const selection = useMemo(() => parseSelection(new URLSearchParams(params)), [params]);
  const select = useCallback((change: Partial<AgentSelection>) => {
    const { pathname, search } = window.location;
    const address = pathname + withSelection(new URLSearchParams(search), change);
    if (change.agent === undefined && change.key === undefined) window.history.replaceState(null, "", address);
    else window.history.pushState(null, "", address);
  }, []);
  return [selection, select];
}
