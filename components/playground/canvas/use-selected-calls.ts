"use client";

import { useMemo, useState } from "react";
import { useSelection } from "@/components/selection/use-selection.ts";

/** The calls on which edits act: those that are selected together, else the one that the address names. */
export interface SelectedCalls {
  /** Ids, in the order of the plan. */
  ids: readonly string[];
  /** The same, if there are several. */
  marked: ReadonlySet<string>;
  /** Selects calls and nothing else; the first is shown in the form. */
  only(ids: readonly string[]): void;
  /** Adds calls, or with `toggle` takes out those that are selected. */
  also(ids: readonly string[], how: "add" | "toggle"): void;
}

const NONE: ReadonlySet<string> = new Set();

/** The selection in a plan with these ids. */
export function useSelectedCalls(planIds: readonly string[]): SelectedCalls {
  const [{ call }, select] = useSelection();
  // Whatever else selects a call selects it alone.
  const [together, setTogether] = useState<{ first: string; ids: ReadonlySet<string> } | null>(null);
  const ids = useMemo(() => {
    if (call === null) return [];
    const isSelected = (id: string) => (together?.first === call ? together.ids.has(id) : id === call);
    return [...new Set(planIds)].filter(isSelected);
  }, [call, together, planIds]);
  const marked = useMemo(() => (ids.length > 1 ? new Set(ids) : NONE), [ids]);

  const choose = (chosen: ReadonlySet<string>, first: string | undefined) => {
    setTogether(first === undefined ? null : { first, ids: chosen });
    select({ call: first ?? null, path: null, ...(first !== undefined && { tab: "call" as const }) });
  };
  return {
    ids,
    marked,
    only: (wanted) => choose(new Set(wanted), wanted[0]),
    also(wanted, how) {
      const next = new Set(ids);
      for (const id of wanted) {
        if (how === "toggle" && next.has(id)) next.delete(id);
        else next.add(id);
      }
      const kept = call !== null && next.has(call) ? call : undefined;
      choose(next, how === "toggle" && wanted.some((id) => next.has(id)) ? wanted[0] : (kept ?? [...next][0]));
    },
  };
}
