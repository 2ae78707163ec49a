"use client";

import { useSearchParams } from "next/navigation";
import { setParam } from "@/components/studio/set-params.ts";
import type { AxisMode } from "@/lib/session/timeline-axis.ts";
import { OPTIONAL_LANES, type OptionalLane } from "@/lib/session/timeline-layout.ts";

/** How the timeline is looked at. Both are in the address: whoever gets the link sees the same. */
export interface ViewChoice {
  /** Null where the reader has not chosen: the session says which suits it. */
  mode: AxisMode | null;
  hidden: ReadonlySet<OptionalLane>;
  setMode(mode: AxisMode): void;
  toggleLane(lane: OptionalLane): void;
}

/** The choice of scale (`scale=steps` or `scale=time`) and of lanes (`hide=model,tools`). */
export function useViewChoice(): ViewChoice {
  const params = useSearchParams();
  const named = params.get("hide")?.split(",") ?? [];
  const hidden = new Set(OPTIONAL_LANES.filter((lane) => named.includes(lane)));
  return {
    mode: MODES.find((mode) => mode === params.get("scale")) ?? null,
    hidden,
    setMode: (mode) => setParam("scale", mode),
    toggleLane(lane) {
      const next = OPTIONAL_LANES.filter((one) => hidden.has(one) !== (one === lane));
      setParam("hide", next.join(","));
    },
  };
}

const MODES: readonly AxisMode[] = ["time", "steps"];
