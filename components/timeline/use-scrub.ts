"use client";

import { type PointerEvent, useRef } from "react";
import { rootRun } from "@/components/selection/resolve-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { isPhone } from "@/components/ui/use-phone.ts";
import { rangeOf } from "@/lib/session/timeline/scale/range.ts";
import type { Chart } from "./chart/chart.ts";
import { selectRange } from "./use-range.ts";

/** A shorter drag is a click, px. */
const CLICK = 4;

/** The start of a press, the step at that time, and the call whose bar it was on. */
interface Press {
  x: number;
  from: number;
  call: ReturnType<Chart["callAt"]>;
}

/**
 * While the button is down, pointer moves are not propagated: the panes' separators measure the page on each move,
 * which would force a layout.
 */
function hearAlone(onMove: (clientX: number) => void): () => void {
  const hear = (event: globalThis.PointerEvent) => {
    // The element was removed.
    if (event.buttons === 0) return stop();
    event.stopPropagation();
    onMove(event.clientX);
  };
  const stop = () => window.removeEventListener("pointermove", hear, true);
  window.addEventListener("pointermove", hear, true);
  return stop;
}

/** Dragging on the lanes moves the playhead, a click jumps, on a call's bar also to the call; with Shift a range is selected. */
export function useScrub(chart: Chart) {
  const store = useStudioStore();
  const [, select] = useSelection();
  const left = useRef(0);
  /** The start of the range. */
  const first = useRef<number | null>(null);
  /** Null once it is a drag. */
  const press = useRef<Press | null>(null);
  const stopHearing = useRef<(() => void) | null>(null);
  const seekTo = (clientX: number) => {
    const at = chart.stepAt(clientX - left.current);
    if (at !== store.getState().at) store.getState().seek(at);
  };
  const drawTo = (start: number, clientX: number) =>
    rangeOf(start, chart.stepAt(clientX - left.current), store.getState().last);
  const moveTo = (clientX: number) => {
    if (first.current !== null) return chart.showRange(drawTo(first.current, clientX));
    if (!store.getState().dragging) return;
    if (press.current && Math.abs(clientX - press.current.x) > CLICK) press.current = null;
    seekTo(clientX);
  };
  const selectCall = (call: Press["call"]) => {
    if (!call) return;
    const { id, run, iteration, instance } = call;
    const root = rootRun(store.getState().session, run ?? "")?.id ?? run;
    // On a phone the tab would replace the timeline.
    const tab = isPhone() ? {} : { tab: "call" as const };
    select({ call: id, run: root, iteration: root === run ? iteration : null, instance: instance || null, ...tab });
  };
  const stop = () => {
    stopHearing.current?.();
    stopHearing.current = null;
    first.current = null;
    chart.showRange(null);
    if (store.getState().dragging) store.getState().setDragging(false);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      // Measured once: measuring while dragging would force a layout in every frame, and the lanes move when the step changes.
      const box = event.currentTarget.getBoundingClientRect();
      left.current = box.left;
      event.currentTarget.setPointerCapture(event.pointerId);
      stopHearing.current?.();
      stopHearing.current = hearAlone(moveTo);
      if (event.shiftKey) {
        first.current = chart.stepAt(event.clientX - left.current);
        return;
      }
      const call = chart.callAt(event.clientX - box.left, event.clientY - box.top);
      press.current = { x: event.clientX, from: store.getState().at, call };
      store.getState().setDragging(true);
      seekTo(event.clientX);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (first.current !== null) selectRange(drawTo(first.current, event.clientX));
      const pressed = press.current;
      press.current = null;
      stop();
      if (pressed === null) return;
      const { from, call } = pressed;
      const { at, seek, jump } = store.getState();
      if (from === at) return selectCall(call);
      // Back returns to the previous step.
      seek(from);
      jump(() => {
        seek(at);
        selectCall(call);
      });
    },
    onLostPointerCapture: stop,
  };
}
