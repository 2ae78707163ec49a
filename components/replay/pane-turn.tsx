"use client";

import { type ReactNode, useEffect, useState } from "react";
import { StudioContext, useStudioStore } from "@/components/studio/use-studio.ts";
import { createTurnStore } from "./turn-store.ts";

/** Gives a pane a frame of its own to render in while the playhead moves, `turn` frames after the first pane (C5). */
export function PaneTurn({ turn, children }: { turn: number; children: ReactNode }) {
  const studio = useStudioStore();
  const [own] = useState(() => createTurnStore(studio, turn));
  // The outside system is the studio's store.
  useEffect(() => own.start(), [own]);
  return <StudioContext value={own.store}>{children}</StudioContext>;
}
