import { type Axis, placeBefore } from "./timeline-axis.ts";

/** A place on the axis, whatever the zoom: shown units, and the folds before it (a fraction lies within one). */
export interface Place {
  units: number;
  folds: number;
}

/** What a person has zoomed and moved to. */
export interface Viewport {
  /** Pixels a unit; null fits the whole session. */
  zoom: number | null;
  /** What lies at the left edge; of no account while the session is fitted. */
  from: Place;
}

/** An axis laid onto so many pixels. */
export interface Projection {
  axis: Axis;
  width: number;
  /** Pixels a unit. */
  zoom: number;
  /** Pixels a fold. */
  fold: number;
  /** Pixels that are scrolled out at the left. */
  left: number;
  /** Pixels of the whole session at this zoom. */
  total: number;
  fitted: boolean;
}

/** Room at both ends, so that the first and the last mark are whole. */
export const PAD = 16;
/** A fold holds its text upright, with a little air. */
const FOLD = 36;
/** However many folds there are, they take at most this share of the fitted session. */
const FOLDS_SHARE = 0.3;
/** As far as one can zoom in: 4 pixels a millisecond, or 48 a step. */
const CLOSEST = { time: 4, steps: 48 } as const;

export const FITTED: Viewport = { zoom: null, from: { units: 0, folds: 0 } };

/** Lays the axis onto `width` pixels as the viewport says, kept within the session's ends. */
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

/** Where a step lies, in pixels from the left edge; step 0 lies at the edge of the first. */
export function xOf(projection: Projection, seq: number): number {
  if (seq < 1) return PAD / 2 - projection.left;
  const { index, share } = placeBefore(projection.axis, seq);
  const x = alongOf(projection, index);
  return PAD + (share === 0 ? x : x + share * (alongOf(projection, index + 1) - x)) - projection.left;
}

/** How far a known place lies from the first step, in pixels. */
function alongOf({ axis, zoom, fold }: Projection, index: number): number {
  return (axis.units[index] ?? 0) * zoom + (axis.foldsBefore[index] ?? 0) * fold;
}

/** Where a place lies, in pixels from the left edge. */
export function xOfPlace({ zoom, fold, left }: Projection, place: Place): number {
  return PAD + place.units * zoom + place.folds * fold - left;
}

/** What lies at a pixel. */
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

/** The step nearest to a pixel; 0 left of the first, when it is closer to the beginning. */
export function stepAt(projection: Projection, x: number): number {
  const count = projection.axis.last;
  const after = firstIndex(count, (i) => xOf(projection, i + 1) > x) + 1;
  if (after === 1) return x < (xOf(projection, 0) + xOf(projection, 1)) / 2 ? 0 : Math.min(1, count);
  if (after > count) return count;
  return xOf(projection, after) - x < x - xOf(projection, after - 1) ? after : after - 1;
}

/** The steps that are in sight, both ends included; `from > to` when none is. */
export function stepsInSight(projection: Projection): { from: number; to: number } {
  const count = projection.axis.last;
  const from = firstIndex(count, (i) => xOf(projection, i + 1) >= 0) + 1;
  const to = firstIndex(count, (i) => xOf(projection, i + 1) > projection.width);
  return { from, to };
}

/** Zooms by a factor; what lies at `x` stays there. */
export function zoomAt(projection: Projection, factor: number, x: number): Viewport {
  const place = placeAt(projection, x);
  const next = project(projection.axis, projection.width, { zoom: projection.zoom * factor, from: place });
  if (next.fitted) return FITTED;
  return {
    zoom: next.zoom,
    from: placeAt({ ...next, left: 0 }, PAD + place.units * next.zoom + place.folds * next.fold - x),
  };
}

/** Moves by pixels; positive goes towards the end. */
export function panBy(projection: Projection, pixels: number): Viewport {
  if (projection.fitted) return FITTED;
  const left = Math.min(Math.max(projection.left + pixels, 0), projection.total - projection.width);
  return { zoom: projection.zoom, from: placeAt({ ...projection, left }, 0) };
}

/** Shows exactly what lies between two places. */
export function showBetween(axis: Axis, width: number, from: Place, to: Place): Viewport {
  const folds = to.folds - from.folds;
  const units = Math.max(to.units - from.units, 1e-6);
  const whole = project(axis, width, FITTED);
  // A fold has its full width at all but the farthest zooms, so it is taken at that and corrected by the fitted one.
  const zoom = Math.max((width - folds * FOLD) / units, whole.zoom);
  return { zoom, from };
}

/** The first index from 0 at which `isPast` holds, given that it stays so; `count` when it never does. */
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
