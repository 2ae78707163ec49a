import type { Lane, LaneBox } from "@/lib/session/timeline/lanes/layout.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { type Projection, xOf } from "@/lib/session/timeline/scale/projection.ts";
import { rowAt } from "@/lib/session/timeline/timeline.ts";
import type { Palette } from "../chart/palette.ts";
import type { Words } from "../chart/words.ts";

/** The input of one drawing of the lanes. */
export interface Frame {
  context: CanvasRenderingContext2D;
  projection: Projection;
  model: TimelineModel;
  boxes: ReadonlyMap<Lane, LaneBox>;
  height: number;
  palette: Palette;
  words: Words;
  /** The clock, epoch ms: the end of open items. */
  now: number;
  /** Visible idle periods, as strips. */
  strips: readonly Strip[];
  /** Message texts by step, as far as loaded. */
  messages: ReadonlyMap<number, string>;
}

/** A collapsed idle period, in pixels. */
export interface Strip {
  x: number;
  width: number;
  /** Its length. */
  ms: number;
}

/** Text in bars, beside marks, and on the axis. */
export const SMALL = "10px";
export const AXIS = "11px";

/** Marks farther outside are not drawn; a label may still be visible from there. */
const OUT_OF_SIGHT = 200;

/** A span in pixels, clipped to the visible range and a margin; null when it is outside. */
export function extentOf(
  { projection }: Frame,
  span: { from: number; to: number | null },
): { x0: number; x1: number } | null {
  const x0 = xOf(projection, span.from);
  const x1 = span.to === null ? projection.width + OUT_OF_SIGHT : xOf(projection, span.to);
  if (x1 < -OUT_OF_SIGHT || x0 > projection.width + OUT_OF_SIGHT) return null;
  return { x0: Math.max(x0, -OUT_OF_SIGHT), x1: Math.min(x1, projection.width + OUT_OF_SIGHT) };
}

/** A span's recorded length, ms, up to now while it is open; null without times. */
export function lengthOf({ model, now }: Frame, span: { from: number; to: number | null }): number | null {
  const from = rowAt(model.rows, span.from)?.time ?? null;
  const to = span.to === null ? now : (rowAt(model.rows, span.to)?.time ?? null);
  return from === null || to === null ? null : Math.max(to - from, 0);
}

/** How far text may extend to the right and left of `x`: to the next strip, or the edge. */
export function freeRight({ strips, projection }: Frame, x: number): number {
  return strips.find((strip) => strip.x >= x)?.x ?? projection.width;
}

export function freeLeft({ strips }: Frame, x: number): number {
  const strip = strips.findLast((one) => one.x < x);
  return strip ? strip.x + strip.width : 0;
}
