"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { asVisit, currentSearch, writeSearch } from "@/components/client/address.ts";
import { isPhone } from "@/components/ui/use-phone.ts";

/** The inspector's tabs, as they stand in the address. */
export const INSPECTOR_TABS = ["state", "call", "prompt", "memory", "trace", "event"] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

/** What a phone shows of the studio, one at a time. */
export const PHONE_PANES = ["thread", "plan", "call", "time"] as const;
export type PhonePane = (typeof PHONE_PANES)[number];

/** What the graph's pane draws: a run's plan, or the stages that it went through (D1). */
export const GRAPHS = ["plan", "stages"] as const;
export type GraphKind = (typeof GRAPHS)[number];

/** What is selected in the studio. All of it is in the address, and nowhere else. */
export interface Selection {
  /** A call's id. */
  call: string | null;
  /** A state path as text: `†state.deal.amount`. */
  path: string | null;
  tab: InspectorTab;
  /** The run whose plan is shown; null: the newest. */
  run: string | null;
  /** The iteration whose plan is shown; null: the newest. */
  iteration: number | null;
  /** The instance that is looked at; null: the first. */
  instance: string | null;
  /** Null: the plan, or of a run that the main graph directed and that called nothing its stages. */
  graph: GraphKind | null;
  /** On a phone: the pane that is shown. */
  pane: PhonePane;
  /** A node of the main graph; null: where the turn stands. */
  node: string | null;
}

export function parseSelection(params: URLSearchParams): Selection {
  const tab = INSPECTOR_TABS.find((name) => name === params.get("tab"));
  const iteration = params.get("iteration");
  return {
    call: params.get("call"),
    path: params.get("path"),
    tab: tab ?? "state",
    run: params.get("run"),
    iteration: iteration !== null && /^\d{1,7}$/.test(iteration) ? Number(iteration) : null,
    instance: params.get("instance"),
    graph: GRAPHS.find((name) => name === params.get("graph")) ?? null,
    pane: PHONE_PANES.find((name) => name === params.get("pane")) ?? "thread",
    node: params.get("node"),
  };
}

/** What a parameter that is missing stands for. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map([
  ["tab", "state"],
  ["pane", "thread"],
]);

/** Writes a change of selection into query parameters; null and defaults take a parameter away. */
export function withSelection(params: URLSearchParams, change: Partial<Selection>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === DEFAULTS.get(name)) next.delete(name);
    else if (value !== undefined) next.set(name, String(value));
  }
  return next;
}

/** The selection and a way to change it. Changes replace the address, unless they are part of a jump. */
export function useSelection(): [Selection, (change: Partial<Selection>) => void] {
  const params = useSearchParams();
  const selection = useMemo(() => parseSelection(new URLSearchParams(params)), [params]);
  const select = useCallback((change: Partial<Selection>) => {
    const before = new URLSearchParams(currentSearch());
    const write = (all: Partial<Selection>) => {
      const query = withSelection(before, all).toString();
      writeSearch(query ? `?${query}` : "");
    };
    // On a phone a tab of the inspector is another pane: Back returns to the one that was left.
    if (change.tab === undefined || !isPhone()) write(change);
    else if (parseSelection(before).pane === "call") write(change);
    else asVisit(() => write({ ...change, pane: "call" }));
  }, []);
  return [selection, select];
}
