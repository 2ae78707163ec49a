import { rowAt } from "@/lib/session/timeline/timeline.ts";
import type { Lane, LaneBox } from "@/lib/session/timeline/timeline-layout.ts";
import type { TimelineModel } from "@/lib/session/timeline/timeline-model.ts";
import { type Projection, xOf } from "@/lib/session/timeline/timeline-projection.ts";
import type { Palette } from "../chart/palette.ts";
import type { Words } from "../chart/words.ts";

/** What one drawing of the lanes needs to know. */
export interface Frame {
  context: CanvasRenderingContext2D;
  projection: Projection;
  model: TimelineModel;
  boxes: ReadonlyMap<Lane, LaneBox>;
  height: number;
  palette: Palette;
  words: Words;
  /** The clock, epoch ms: up to then lasts what still goes on. */
  now: number;
  /** Idle stretches in sight, as strips. */
  strips: readonly Strip[];
  /** What people wrote, by step, as far as it has been seen. */
  messages: ReadonlyMap<number, string>;
}

/** A folded idle stretch, in pixels. */
export interface Strip {
  x: number;
  width: number;
  /** How long it was. */
  ms: number;
}

/** Text in bars and beside marks, and on the axis. */
export const SMALL = "10px";
export const AXIS = "10.5px";

/** Marks farther out than this are not drawn; a label may still reach into sight from there. */
const OUT_OF_SIGHT = 200;

/** Where a span lies in pixels, cut to the neighbourhood of what is in sight; null when it lies outside. */
export function extentOf(
  { projection }: Frame,
  span: { from: number; to: number | null },
): { x0: number; x1: number } | null {
  const x0 = xOf(projection, span.from);
  const x1 = span.to === null ? projection.width + OUT_OF_SIGHT : xOf(projection, span.to);
  if (x1 < -OUT_OF_SIGHT || x0 > projection.width + OUT_OF_SIGHT) return null;
  return { x0: Math.max(x0, -OUT_OF_SIGHT), x1: Math.min(x1, projection.width + OUT_OF_SIGHT) };
}

/** How long a span lasted as recorded, ms, up to now while it goes on; null where no times are told. */
export function lengthOf({ model, now }: Frame, span: { from: number; to: number | null }): number | null {
  const from = rowAt(model.rows, span.from)?.time ?? null;
  const to = span.to === null ? now : (rowAt(model.rows, span.to)?.time ?? null);
  return from === null || to === null ? null : Math.max(to - from, 0);
}

/** How far text may reach to the right of `x`, and to the left: up to the next strip, or the edge. */
export function freeRight({ strips, projection }: Frame, x: number): number {
  return strips.find((strip) => strip.x >= x)?.x ?? projection.width;
}

export function freeLeft({ strips }: Frame, x: number): number {
  const strip = strips.findLast((one) => one.x < x);
  return strip ? strip.x + strip.width : 0;
}
