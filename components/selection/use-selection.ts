"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { asVisit, currentSearch, writeSearch } from "@/components/client/address.ts";
import { isPhone } from "@/components/ui/use-phone.ts";

/** The inspector's tabs, by parameter value. */
export const INSPECTOR_TABS = ["state", "call", "prompt", "memory", "trace", "event", "review"] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

/** The panes on a phone. */
export const PHONE_PANES = ["thread", "plan", "call", "time"] as const;
export type PhonePane = (typeof PHONE_PANES)[number];

/** What the graph pane shows: a run's plan, or its stages (D1). */
const GRAPHS = ["plan", "stages"] as const;
export type GraphKind = (typeof GRAPHS)[number];

/** Whose calls the graph pane shows: all of the session, or one run's. */
export const PLAN_SCOPES = ["session", "run"] as const;
export type PlanScope = (typeof PLAN_SCOPES)[number];

/** The selection in the studio. Its only store is the address. */
export interface Selection {
  /** A call's id. */
  call: string | null;
  /** A state path: `†state.deal.amount`. */
  path: string | null;
  /** Null for the one that matters: see `useShownTab`. */
  tab: InspectorTab | null;
  /** The run whose plan is shown; null for the newest. */
  run: string | null;
  /** The iteration whose plan is shown; null for the newest. */
  iteration: number | null;
  /** The instance; null for the first. */
  instance: string | null;
  /** Null for the plan, or for the stages of a directed run without calls. */
  graph: GraphKind | null;
  /** Null for the session where its runs have no plans of their own, else for the run. */
  plan: PlanScope | null;
  /** The pane shown on a phone. */
  pane: PhonePane;
  /** A node of the main graph; null for the current one. */
  node: string | null;
}

export function parseSelection(params: URLSearchParams): Selection {
  const tab = INSPECTOR_TABS.find((name) => name === params.get("tab"));
  const iteration = params.get("iteration");
  return {
    call: params.get("call"),
    path: params.get("path"),
    tab: tab ?? null,
    run: params.get("run"),
    iteration: iteration !== null && /^\d{1,7}$/.test(iteration) ? Number(iteration) : null,
    instance: params.get("instance"),
    graph: GRAPHS.find((name) => name === params.get("graph")) ?? null,
    plan: PLAN_SCOPES.find((name) => name === params.get("plan")) ?? null,
    pane: PHONE_PANES.find((name) => name === params.get("pane")) ?? "thread",
    node: params.get("node"),
  };
}

/** Defaults of missing parameters. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map([["pane", "thread"]]);

/** Writes a change of the selection into search parameters; null and defaults remove a parameter. */
export function withSelection(params: URLSearchParams, change: Partial<Selection>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === DEFAULTS.get(name)) next.delete(name);
    else if (value !== undefined) next.set(name, String(value));
  }
  return next;
}

/** The selection and its setter. Changes replace the address, unless they are part of a visit. */
export function useSelection(): [Selection, (change: Partial<Selection>) => void] {
  const params = useSearchParams();
  const selection = useMemo(() => parseSelection(new URLSearchParams(params)), [params]);
  const select = useCallback((change: Partial<Selection>) => {
    const before = new URLSearchParams(currentSearch());
    const write = (all: Partial<Selection>) => {
      const query = withSelection(before, all).toString();
      writeSearch(query ? `?${query}` : "");
    };
    // On a phone a tab of the inspector is another pane, so Back returns to the previous one.
    if (change.tab === undefined || !isPhone()) write(change);
    else if (parseSelection(before).pane === "call") write(change);
    else asVisit(() => write({ ...change, pane: "call" }));
  }, []);
  return [selection, select];
}
