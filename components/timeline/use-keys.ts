"use client";

import { currentSearch } from "@/components/client/address.ts";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { type Finding, useGoToFinding } from "@/components/selection/use-go-to-finding.ts";
import type { StepUnit } from "@/components/studio/studio-state.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import type { Chart } from "./chart/chart.ts";
import { parseRange, selectRange } from "./use-range.ts";

const ZOOM = 1.6;

/** Keyboard shortcuts of the transport. */
export function useKeys(chart: Chart, mark: () => void): void {
  const store = useStudioStore();
  const step = (unit: StepUnit, direction: 1 | -1) => () => store.getState().step(unit, direction);
  const goTo = useGoToFinding();
  const jump = (unit: Finding, direction: 1 | -1) => () => goTo(unit, direction);
  const range = (edge: "from" | "to") => () => {
    const { at, last } = store.getState();
    if (at > 0) moveEdge(edge, at, last);
  };
  useShortcuts({
    play: () => {
      const { playing, play, pause } = store.getState();
      if (playing) pause();
      else play();
    },
    forward: step("step", 1),
    backward: step("step", -1),
    nextCall: step("call", 1),
    previousCall: step("call", -1),
    nextMessage: step("message", 1),
    previousMessage: step("message", -1),
    nextFinding: jump("error", 1),
    previousFinding: jump("error", -1),
    nextApproval: jump("approval", 1),
    previousApproval: jump("approval", -1),
    nextAlert: jump("alert", 1),
    previousAlert: jump("alert", -1),
    first: () => store.getState().jump(0),
    last: () => store.getState().jump(store.getState().last),
    bookmark: mark,
    rangeBegin: range("from"),
    rangeEnd: range("to"),
    zoomIn: () => chart.zoomBy(ZOOM),
    zoomOut: () => chart.zoomBy(1 / ZOOM),
    zoomAll: () => chart.fit(),
  });
}

/** Sets one end of the selected range to the current step; a reversed range starts over. */
function moveEdge(edge: "from" | "to", at: number, last: number): void {
  const params = new URLSearchParams(currentSearch());
  const range = parseRange(params.get("from"), params.get("to"), last);
  const next = range ? { ...range, [edge]: at } : { from: at, to: at };
  selectRange(next.from <= next.to ? next : { from: at, to: at });
}
