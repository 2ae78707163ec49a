"use client";

import { useSyncExternalStore } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";

/** The tick for running durations, ms. */
const TICK = 1_000;

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, TICK);
  return () => clearInterval(timer);
}

const now = () => Math.floor(Date.now() / TICK) * TICK;

/** The clock, epoch ms, to the second; it stops while nothing uses it. */
export function useClock(isOn: boolean): number {
  return useSyncExternalStore(isOn ? subscribe : neverChanges, now, now);
}

const neverChanges = () => () => undefined;

/**
 * The time in the session, epoch ms: now while following, else the time of the current step. Null without recorded
 * times.
 */
export function useSessionTime(): number | null {
  const live = useClock(true);
  const at = useStudio(({ following, event }) => (following ? null : (event?.occurred_at ?? "")));
  if (at === null) return live;
  return at === "" ? null : Date.parse(at);
}
