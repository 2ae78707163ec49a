"use client";

import { useSearchParams } from "next/navigation";
import { setParam } from "@/components/selection/set-params.ts";
import { GROUPINGS, type Grouping, type OptionalLane } from "@/lib/session/timeline/lanes/layout.ts";
import type { AxisMode } from "@/lib/session/timeline/scale/axis.ts";

/** View options of the timeline, stored in the address. */
export interface ViewChoice {
  /** Null for the session's default. */
  mode: AxisMode | null;
  grouping: Grouping;
  hidden: ReadonlySet<string>;
  setMode(mode: AxisMode): void;
  setGrouping(grouping: Grouping): void;
  toggleLane(lane: OptionalLane): void;
}

/** Scale (`scale=steps` or `scale=time`) and lanes (`lanes=agent`, `hide=model,tools`). */
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

/** An agent's id may contain a comma, so ids are encoded; an invalid encoding is taken literally. */
function readLane(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const MODES: readonly AxisMode[] = ["time", "steps"];
