"use client";

import { useSearchParams } from "next/navigation";
import type { AxisMode } from "@/lib/session/timeline-axis.ts";
import { OPTIONAL_LANES, type OptionalLane } from "@/lib/session/timeline-layout.ts";

/** How the timeline is looked at. Both are in the address: whoever gets the link sees the same. */
export interface ViewChoice {
  mode: AxisMode;
  hidden: ReadonlySet<OptionalLane>;
  setMode(mode: AxisMode): void;
  toggleLane(lane: OptionalLane): void;
}

/** The choice of scale (`scale=steps`) and of lanes (`hide=model,tools`). */
export function useViewChoice(): ViewChoice {
  const params = useSearchParams();
  const named = params.get("hide")?.split(",") ?? [];
  const hidden = new Set(OPTIONAL_LANES.filter((lane) => named.includes(lane)));
  return {
    mode: params.get("scale") === "steps" ? "steps" : "time",
    hidden,
    setMode: (mode) => setParam("scale", mode === "steps" ? mode : ""),
    toggleLane(lane) {
      const next = OPTIONAL_LANES.filter((one) => hidden.has(one) !== (one === lane));
      setParam("hide", next.join(","));
    },
  };
}

function setParam(name: string, value: string): void {
  const params = new URLSearchParams(window.location.search);
  if (value === "") params.delete(name);
  else params.set(name, value);
  const text = params.toString();
  window.history.replaceState(null, "", text === "" ? window.location.pathname : `?${text}`);
}
