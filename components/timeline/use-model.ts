"use client";

import { useDeferredValue, useMemo, useState } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { modelMaker, type TimelineModel } from "@/lib/session/timeline/timeline-model.ts";

/** What the timeline knows of the session; null until its rows are loaded. */
export function useModel(): TimelineModel | null {
  const rows = useStudio((state) => state.timeline);
  const long = useStudio((state) => state.long);
  const [makeModel] = useState(modelMaker);
  // When the rows come, the other panes draw what they need of them first; from then on the model keeps up.
  const hasCome = useDeferredValue(rows !== null);
  return useMemo(() => (hasCome && rows ? makeModel(rows, long) : null), [hasCome, rows, long, makeModel]);
}
