"use client";

import { useCallback } from "react";
import type { Session } from "@/lib/session/session.ts";
import type { TimelineRow } from "@/lib/session/timeline/timeline.ts";
import type { StepUnit } from "@/lib/session/timeline/timeline-steps.ts";
import { useStudioStore } from "../studio/use-studio.ts";
import { rootRun } from "./resolve-selection.ts";
import { type Selection, useSelection } from "./use-selection.ts";

/** What a session has few of, and a person looks for. */
export type Finding = Extract<StepUnit, "error" | "approval" | "alert">;

/**
 * Goes to the next or previous finding and selects its call, so that of many instances the one is shown that it is of;
 * `otherwise` is selected where it has none.
 */
export function useGoToFinding(otherwise?: Partial<Selection>): (unit: Finding, direction: 1 | -1) => void {
  const store = useStudioStore();
  const [, select] = useSelection();
  return useCallback(
    (unit, direction) => {
      const { find, session, jump, seek } = store.getState();
      find(unit, direction, (row) =>
        jump(() => {
          seek(row.seq);
          const change = selectionAt(session, row) ?? otherwise;
          if (change) select(change);
        }),
      );
    },
    [store, select, otherwise],
  );
}

/** The call of a step, with the run, the iteration and the instance that it is of; null where the step is of none. */
export function selectionAt(session: Pick<Session, "runs">, { call }: TimelineRow): Partial<Selection> | null {
  if (call === null) return null;
  const root = rootRun(session, call.run ?? "")?.id ?? call.run;
  return {
    call: call.id,
    tab: "call",
    run: root,
    // Of what a run below carries out, the iteration is that one's own.
    iteration: root === call.run ? call.iteration : null,
    ...(call.instance !== "" && { instance: call.instance }),
  };
}
