"use client";

import { useEffect } from "react";
import type { StoreApi } from "zustand/vanilla";
import { currentSearch } from "@/components/client/address.ts";
import type { StepUnit, StudioState } from "@/components/studio/studio-state.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import type { Chart } from "./chart.ts";
import { parseRange, selectRange } from "./use-range.ts";

/** Where keys mean something of their own. */
const OWN_KEYS =
  "input, textarea, select, [contenteditable], dialog, [popover], [role=menu], [role=tablist], [role=tree], [role=listbox], [role=grid], [role=separator]";
/** What Space presses. */
const PRESSED = "button, a, summary";

const ZOOM = 1.6;

/** The transport by keyboard, wherever the focus is, unless it is where keys mean something else. */
export function useKeys(chart: Chart, mark: () => void): void {
  const store = useStudioStore();
  // The outside system is the keyboard, page-wide.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey) return;
      const { target } = event;
      if (target instanceof Element && target.closest(OWN_KEYS)) return;
      if (event.key === " " && target instanceof Element && target.closest(PRESSED)) return;
      const act = actionOf(event, store, { chart, mark });
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [store, chart, mark]);
}

/** What the next or previous of which a letter leads to. */
const JUMPS: Record<string, StepUnit> = { e: "error", a: "approval", m: "alert" };

/** Sets one end of the selected range to the playhead; a range that would be turned round begins anew. */
function moveEdge(edge: "from" | "to", at: number, last: number): void {
  const params = new URLSearchParams(currentSearch());
  const range = parseRange(params.get("from"), params.get("to"), last);
  const next = range ? { ...range, [edge]: at } : { from: at, to: at };
  selectRange(next.from <= next.to ? next : { from: at, to: at });
}

function actionOf(
  event: KeyboardEvent,
  store: StoreApi<StudioState>,
  { chart, mark }: { chart: Chart; mark: () => void },
): (() => void) | null {
  const { step, seek, play, pause, playing, last, at } = store.getState();
  const unit: StepUnit = event.shiftKey ? "call" : event.altKey ? "message" : "step";
  switch (event.key) {
    case "ArrowLeft":
      return () => step(unit, -1);
    case "ArrowRight":
      return () => step(unit, 1);
    case "[":
      return () => step("message", -1);
    case "]":
      return () => step("message", 1);
    case " ":
      return playing ? pause : play;
    case "Home":
      return () => seek(0);
    case "End":
      return () => seek(last);
    case "e":
    case "E":
    case "a":
    case "A":
    case "m":
    case "M":
      return event.altKey ? null : () => step(JUMPS[event.key.toLowerCase()] ?? "error", event.shiftKey ? -1 : 1);
    case "b":
    case "B":
      return event.altKey ? null : mark;
    case "i":
    case "o":
      return event.altKey || at === 0 ? null : () => moveEdge(event.key === "i" ? "from" : "to", at, last);
    case "+":
    case "=":
      return () => chart.zoomBy(ZOOM);
    case "-":
      return () => chart.zoomBy(1 / ZOOM);
    case "0":
      return () => chart.fit();
    default:
      return null;
  }
}
