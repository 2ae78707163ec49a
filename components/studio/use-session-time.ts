"use client";

import { useSyncExternalStore } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";

/** How often what goes on is told anew, ms: a call that has just begun is told in seconds. */
const TICK = 1_000;

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, TICK);
  return () => clearInterval(timer);
}

const now = () => Math.floor(Date.now() / TICK) * TICK;

/** The clock, epoch ms, to the second; it stands still while nobody needs it. */
export function useClock(isOn: boolean): number {
  return useSyncExternalStore(isOn ? subscribe : neverChanges, now, now);
}

const neverChanges = () => () => undefined;

/**
 * What time it is in the session, epoch ms: now while its end is followed, else when the step at the playhead
 * happened. Null where the source tells no time.
 */
export function useSessionTime(): number | null {
  const live = useClock(true);
  const at = useStudio(({ following, event }) => (following ? null : (event?.occurred_at ?? "")));
  if (at === null) return live;
  return at === "" ? null : Date.parse(at);
}
