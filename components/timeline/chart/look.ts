import {
  FITTED,
  placeAt,
  project,
  showBetween,
  type Viewport,
  xOf,
} from "@/lib/session/timeline/timeline-projection.ts";
import type { Scene } from "./chart.ts";

/** A session up to so many steps is shown whole at first, a longer one so far before and after the playhead. */
const TOLD_APART = 1_000;
const BEFORE = 120;
const AFTER = 60;

/** The selected range, else all of a session, as long as single steps can be told apart; of a longer one what surrounds the playhead. */
export function firstLook(scene: Scene, at: number): Viewport {
  const count = scene.axis.last;
  if (scene.range) return between(scene, scene.range.from, scene.range.to);
  if (count <= TOLD_APART) return FITTED;
  return between(scene, Math.max(at - BEFORE, 1), Math.min(at + AFTER, count));
}

/** Exactly the steps from one to another. */
export function between({ axis, lanes }: Scene, from: number, to: number): Viewport {
  const whole = project(axis, lanes.width, FITTED);
  return showBetween(axis, lanes.width, placeAt(whole, xOf(whole, from)), placeAt(whole, xOf(whole, to)));
}
