"use client";

import { useMemo } from "react";
import type { InspectorTab } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";

/** The tabs that have nothing to show in this session; none of those that are not known yet. */
export function useEmptyTabs(): ReadonlySet<InspectorTab> {
  const timeline = useStudio((state) => (state.long === null ? state.timeline : null));
  const hasCalls = useStudio(({ session }) => session.calls.size > 0 || session.calls_before > 0);
  const hasPlans = useStudio(({ session }) => session.plans.size > 0);
  const remembers = useStudio(({ session }) => !isNothing(session.memory));
  const types = useMemo(() => timeline && new Set(timeline.map(({ type }) => type)), [timeline]);
  return useMemo(() => {
    const empty = new Set<InspectorTab>();
    if (!hasCalls && types && !types.has("call.started")) empty.add("call");
    if (types && !types.has("prompt.rendered")) empty.add("prompt");
    if (!remembers && types && !types.has("memory.updated")) empty.add("memory");
    if (!hasPlans && types && !types.has("agent_state.written")) empty.add("trace");
    return empty;
  }, [types, hasCalls, hasPlans, remembers]);
}

function isNothing(memory: Json): boolean {
  return memory === null || (isJsonObject(memory) && Object.keys(memory).length === 0);
}
