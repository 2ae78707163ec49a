"use client";

import { useSearchParams } from "next/navigation";
import { setParam } from "@/components/selection/set-params.ts";
import type { AxisMode } from "@/lib/session/timeline/timeline-axis.ts";
import { GROUPINGS, type Grouping, type OptionalLane } from "@/lib/session/timeline/timeline-layout.ts";

/** How the timeline is looked at. All of it is in the address: whoever gets the link sees the same. */
export interface ViewChoice {
  /** Null where the reader has not chosen: the session says which suits it. */
  mode: AxisMode | null;
  grouping: Grouping;
  hidden: ReadonlySet<string>;
  setMode(mode: AxisMode): void;
  setGrouping(grouping: Grouping): void;
  toggleLane(lane: OptionalLane): void;
}

/** The choice of scale (`scale=steps` or `scale=time`) and of lanes (`lanes=agent`, `hide=model,tools`). */
export function useViewChoice(): ViewChoice {
  const params = useSearchParams();
  const hidden = new Set((params.get("hide") ?? "").split(",").filter(Boolean).map(readLane));
  return {
    mode: MODES.find((mode) => mode === params.get("scale")) ?? null,
    grouping: GROUPINGS.find((grouping) => grouping === params.get("lanes")) ?? "actor",
    hidden,
    setMode: (mode) => setParam("scale", mode),
    toggleLane(lane) {
      const next = hidden.has(lane) ? [...hidden].filter((one) => one !== lane) : [...hidden, lane];
      setParam("hide", next.map(encodeURIComponent).join(","));
    },
    setGrouping: (grouping) => setParam("lanes", grouping === "actor" ? "" : grouping),
  };
}

/** An agent's id may have a comma; what is no such text is taken as it stands. */
function readLane(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const MODES: readonly AxisMode[] = ["time", "steps"];
