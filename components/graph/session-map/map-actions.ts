"use client";

import { createContext, use } from "react";
import type { MapCall, MapRun } from "@/lib/session/map/session-map.ts";
import type { Source } from "./links.ts";

/** What the parts of the map do; the identity is stable. */
export interface MapActions {
  selectCall(call: MapCall): void;
  selectRun(run: MapRun): void;
  /** Opens or closes a row of equal calls. */
  toggleRow(id: string): void;
  /** Follows a value through the session. */
  follow(source: Source): void;
}

export const MapActionsContext = createContext<MapActions | null>(null);

export function useMapActions(): MapActions {
  const actions = use(MapActionsContext);
  if (!actions) throw new Error("There is no map around this part");
  return actions;
}
