import { type Axis, placeBefore } from "./axis.ts";

/** A position on the axis, independent of zoom: units, and collapsed pauses before it (fractional within one). */
export interface Place {
  units: number;
  folds: number;
}

/** The user's zoom and scroll position. */
export interface Viewport {
  /** Pixels per unit; null fits the whole session. */
  zoom: number | null;
  /** The position at the left edge; unused while the session is fitted. */
  from: Place;
}

/** An axis projected to pixels. */
export interface Projection {
  axis: Axis;
  width: number;
  /** Pixels per unit. */
  zoom: number;
  /** Pixels per collapsed pause. */
  fold: number;
  /** Pixels scrolled out at the left. */
  left: number;
  /** The width of the whole session at this zoom, in pixels. */
  total: number;
  fitted: boolean;
}

/** Padding at both ends, so that the first and the last mark are whole. */
export const PAD = 16;
/** The width of a collapsed pause, for its vertical text. */
const FOLD = 36;
/** The maximum share of collapsed pauses in the fitted session. */
const FOLDS_SHARE = 0.3;
/** The maximum zoom: 4 pixels per millisecond, or 48 per step. */
const CLOSEST = { time: 4, steps: 48 } as const;

export const FITTED: Viewport = { zoom: null, from: { units: 0, folds: 0 } };

/** Projects the axis to `width` pixels, clamped to the session's ends. */
export function project(axis: Axis, width: number, viewport: Viewport): Projection {
  const length = Math.max(axis.units.at(-1) ?? 0, 1);
  const inner = Math.max(width - 2 * PAD, 1);
  const folds = axis.foldsBefore.at(-1) ?? 0;
  const smallestFold = folds === 0 ? 0 : Math.min(FOLD, (FOLDS_SHARE * inner) / folds);
  const fit = Math.min((inner - smallestFold * folds) / length, CLOSEST[axis.mode]);
  const zoom = Math.min(Math.max(viewport.zoom ?? fit, fit), CLOSEST[axis.mode]);
  const fold = Math.min(FOLD, (smallestFold * zoom) / fit);
  const total = 2 * PAD + length * zoom + folds * fold;
  const wanted = PAD + viewport.from.units * zoom + viewport.from.folds * fold;
  const fitted = zoom <= fit;
  const left = fitted ? 0 : Math.min(Math.max(wanted, 0), Math.max(total - width, 0));
  return { axis, width, zoom, fold, left, total, fitted };
}

/** The x of a step, in pixels from the left edge; step 0 is at the edge of the first. */
export function xOf(projection: Projection, seq: number): number {
  if (seq < 1) return PAD / 2 - projection.left;
  const { index, share } = placeBefore(projection.axis, seq);
  const x = alongOf(projection, index);
  return PAD + (share === 0 ? x : x + share * (alongOf(projection, index + 1) - x)) - projection.left;
}

/** The distance of a known position from the first step, in pixels. */
function alongOf({ axis, zoom, fold }: Projection, index: number): number {
  return (axis.units[index] ?? 0) * zoom + (axis.foldsBefore[index] ?? 0) * fold;
}

/** The x of a position, in pixels from the left edge. */
export function xOfPlace({ zoom, fold, left }: Projection, place: Place): number {
  return PAD + place.units * zoom + place.folds * fold - left;
}

/** The position at a pixel. */
export function placeAt(projection: Projection, x: number): Place {
  const { axis, zoom, left } = projection;
  const along = x + left - PAD;
  const next = firstIndex(axis.units.length, (i) => alongOf(projection, i) > along);
  if (next === 0) return { units: along / zoom, folds: 0 };
  const [from, folds] = [axis.units[next - 1] ?? 0, axis.foldsBefore[next - 1] ?? 0];
  const begin = alongOf(projection, next - 1);
  if (next === axis.units.length) return { units: from + (along - begin) / zoom, folds };
  const share = (along - begin) / (alongOf(projection, next) - begin);
  return {
    units: from + share * ((axis.units[next] ?? 0) - from),
    folds: folds + share * ((axis.foldsBefore[next] ?? 0) - folds),
  };
}

/** The step nearest to a pixel; 0 left of the first, if it is closer to the start. */
export function stepAt(projection: Projection, x: number): number {
  const count = projection.axis.last;
  const after = firstIndex(count, (i) => xOf(projection, i + 1) > x) + 1;
  if (after === 1) return x < (xOf(projection, 0) + xOf(projection, 1)) / 2 ? 0 : Math.min(1, count);
  if (after > count) return count;
  return xOf(projection, after) - x < x - xOf(projection, after - 1) ? after : after - 1;
}

/** The range of visible steps, inclusive; `from > to` if there are none. */
export function stepsInSight(projection: Projection): { from: number; to: number } {
  const count = projection.axis.last;
  const from = firstIndex(count, (i) => xOf(projection, i + 1) >= 0) + 1;
  const to = firstIndex(count, (i) => xOf(projection, i + 1) > projection.width);
  return { from, to };
}

/** Zooms by a factor around `x`. */
export function zoomAt(projection: Projection, factor: number, x: number): Viewport {
  const place = placeAt(projection, x);
  const next = project(projection.axis, projection.width, { zoom: projection.zoom * factor, from: place });
  if (next.fitted) return FITTED;
  return {
    zoom: next.zoom,
    from: placeAt({ ...next, left: 0 }, PAD + place.units * next.zoom + place.folds * next.fold - x),
  };
}

/** Scrolls by pixels; positive towards the end. */
export function panBy(projection: Projection, pixels: number): Viewport {
  if (projection.fitted) return FITTED;
  const left = Math.min(Math.max(projection.left + pixels, 0), projection.total - projection.width);
  return { zoom: projection.zoom, from: placeAt({ ...projection, left }, 0) };
}

/** Zooms to the range between two positions. */
export function showBetween(axis: Axis, width: number, from: Place, to: Place): Viewport {
  const folds = to.folds - from.folds;
  const units = Math.max(to.units - from.units, 1e-6);
  const whole = project(axis, width, FITTED);
  // A collapsed pause has its full width except at the lowest zooms: computed with it first, then corrected.
  const zoom = Math.max((width - folds * FOLD) / units, whole.zoom);
  return { zoom, from };
}

/** Binary search for the first index from 0 for which `isPast` holds; `count` if there is none. */
function firstIndex(count: number, isPast: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
