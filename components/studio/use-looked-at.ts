"use client";

import { useMemo } from "react";
import { type LookedAt, lookedAt } from "./looked-at.ts";
import { useSelection } from "./use-selection.ts";
import { useStudio } from "./use-studio.ts";

/** The run, plan and instance that the whole studio looks at, at the place of the playhead. */
export function useLookedAt(): LookedAt {
  const session = useStudio((state) => state.session);
  const [{ run, iteration, instance }] = useSelection();
  return useMemo(() => lookedAt(session, { run, iteration, instance }), [session, run, iteration, instance]);
}
