"use client";

import { useState } from "react";
import { type InspectorTab, useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { shownStatusOf } from "@/lib/session/summary/summary.ts";

/**
 * The inspector's tab: the one in the address, else the one that matters, which is the call if one is selected or if a
 * session is opened at its failure. It does not change by itself while a session goes on.
 */
export function useShownTab(): InspectorTab {
  const [{ tab, call, path, node }] = useSelection();
  const isFailed = useStudio(({ following, now }) => following && shownStatusOf(now) === "failed");
  const [openedFailed] = useState(isFailed);
  if (tab !== null) return tab;
  if (call !== null) return "call";
  return openedFailed && path === null && node === null ? "call" : "state";
}
