"use client";

import { useDeferredValue, useMemo } from "react";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { promptRows, type Requests, requestsAt } from "./requests.ts";

/** Which request is shown at the place of the playhead, for what is selected; null until the timeline is loaded. */
export function useShownRequest(): Requests | null {
  const session = useDeferredValue(useStudio((state) => state.session));
  const timeline = useStudio((state) => state.timeline);
  const [selection] = useSelection();
  const prompts = useMemo(() => timeline && promptRows(timeline), [timeline]);
  return useMemo(
    () => (timeline && prompts ? requestsAt(session, timeline, prompts, selection) : null),
    [session, timeline, prompts, selection],
  );
}
