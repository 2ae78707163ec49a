"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { StudioContext, useStudioStore } from "@/components/studio/use-studio.ts";
import { Pace } from "./pace.ts";
import { createTurnStore } from "./turn-store.ts";

/** How fast panes may follow; provided by the studio's page. */
export const PaceContext = createContext(new Pace());

/** Gives a pane its own frame while the step changes, `turn` frames after the first pane (C5). */
export function PaneTurn({ turn, children }: { turn: number; children: ReactNode }) {
  const studio = useStudioStore();
  const pace = useContext(PaceContext);
  const [own] = useState(() => createTurnStore(studio, turn, pace));
  // The outside system is the studio's store.
  useEffect(() => own.start(), [own]);
  return <StudioContext value={own.store}>{children}</StudioContext>;
}
