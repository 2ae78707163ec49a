import { FITTED, placeAt, project, showBetween, type Viewport, xOf } from "@/lib/session/timeline/scale/projection.ts";
import type { Scene } from "./chart.ts";

/** A session of up to this many steps is shown whole at first; of a longer one, this many around the current step. */
const FITTED_STEPS = 1_000;
const BEFORE = 120;
const AFTER = 60;

/**
 * The initial view: the selected range, else the whole session if single steps are visible, else the part around the
 * current step.
 */
export function initialViewport(scene: Scene, at: number): Viewport {
  const count = scene.axis.last;
  if (scene.range) return between(scene, scene.range.from, scene.range.to);
  if (count <= FITTED_STEPS) return FITTED;
  return between(scene, Math.max(at - BEFORE, 1), Math.min(at + AFTER, count));
}

/** A range of steps. */
export function between({ axis, lanes }: Scene, from: number, to: number): Viewport {
  const whole = project(axis, lanes.width, FITTED);
  return showBetween(axis, lanes.width, placeAt(whole, xOf(whole, from)), placeAt(whole, xOf(whole, to)));
}
