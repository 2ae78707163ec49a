"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { StudioContext, useStudioStore } from "@/components/studio/use-studio.ts";
import { createDeferredStore } from "./deferred-store.ts";
import { Pace } from "./pace.ts";

/** How fast panes may follow; provided by the studio's page. */
export const PaceContext = createContext(new Pace());

/** Gives a pane its own frame while the step changes (C5). */
export function DeferredPane({ children }: { children: ReactNode }) {
  const studio = useStudioStore();
  const pace = useContext(PaceContext);
  const [own] = useState(() => createDeferredStore(studio, pace));
  // The outside system is the studio's store.
  useEffect(() => own.start(), [own]);
  return <StudioContext value={own.store}>{children}</StudioContext>;
}
