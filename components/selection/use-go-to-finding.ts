"use client";

import { useCallback } from "react";
import type { Session } from "@/lib/session/session.ts";
import type { StepUnit } from "@/lib/session/timeline/steps.ts";
import type { TimelineRow } from "@/lib/session/timeline/timeline.ts";
import { useStudioStore } from "../studio/use-studio.ts";
import { rootRun } from "./resolve-selection.ts";
import { type Selection, useSelection } from "./use-selection.ts";

/** What one can go to: errors, approvals and alerts. */
export type Finding = Extract<StepUnit, "error" | "approval" | "alert">;

/** Goes to the next or previous finding and selects its call, with its instance. */
export function useGoToFinding(): (unit: Finding, direction: 1 | -1) => void {
  const store = useStudioStore();
  const [, select] = useSelection();
  return useCallback(
    (unit, direction) => {
      const { find, session, jump, seek } = store.getState();
      find(unit, direction, (row) =>
        jump(() => {
          seek(row.seq);
          const change = selectionAt(session, row);
          if (change) select(change);
        }),
      );
    },
    [store, select],
  );
}

/** The call of a step with its run, iteration and instance; null for none. */
export function selectionAt(session: Pick<Session, "runs">, { call }: TimelineRow): Partial<Selection> | null {
  if (call === null) return null;
  const root = rootRun(session, call.run ?? "")?.id ?? call.run;
  return {
    call: call.id,
    tab: "call",
    run: root,
    // For a nested run, the iteration is its own.
    iteration: root === call.run ? call.iteration : null,
    ...(call.instance !== "" && { instance: call.instance }),
  };
}
