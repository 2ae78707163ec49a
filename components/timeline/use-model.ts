"use client";

import { useMemo, useState } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { modelMaker, type TimelineModel } from "@/lib/session/timeline-model.ts";

/** What the timeline knows of the session; null until its rows are loaded. */
export function useModel(): TimelineModel | null {
  const rows = useStudio((state) => state.timeline);
  const [makeModel] = useState(modelMaker);
  return useMemo(() => rows && makeModel(rows), [rows, makeModel]);
}
