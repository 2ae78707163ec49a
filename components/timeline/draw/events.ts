import type { EventKind } from "@/lib/session/kinds.ts";
import { binSteps } from "@/lib/session/timeline-bins.ts";
import { stepsInSight } from "@/lib/session/timeline-projection.ts";
import type { Frame } from "./frame.ts";

/** With more steps than one in so many pixels, marks would run into each other: columns are drawn instead. */
const DENSE = 3;
const COLUMN = 3;
const MARK = 7;

/** One mark a step: tall for messages, short for calls, model, runs and memory; diamond, disc and cross stand out. */
export function drawEvents(frame: Frame): void {
  const box = frame.boxes.get("events");
  if (!box) return;
  const { projection, model, context, palette } = frame;
  const { from, to } = stepsInSight(projection);
  const isDense = (to - from) * DENSE > projection.width;
  const bins = binSteps(projection, model.ranks, isDense ? COLUMN : 1);
  const bottom = box.top + box.height - 2;
  context.strokeStyle = palette.canvas;
  context.lineWidth = 2;
  for (const { x, kind, count } of bins) {
    context.fillStyle = palette.kinds[kind];
    const centre = isDense ? x + COLUMN / 2 : x + 0.5;
    if (isDense) column(frame, { x, kind, count, bottom, height: box.height - 4 });
    else mark(context, kind, { x: centre, top: box.top, bottom });
  }
}

/** The more steps in a column the taller, by powers of two; what stands out is as tall as the lane. */
function column(
  { context }: Frame,
  { x, kind, count, bottom, height }: { x: number; kind: EventKind; count: number; bottom: number; height: number },
): void {
  const standsOut = kind === "error" || kind === "approval" || kind === "message";
  const tall = standsOut ? height : Math.min(height - 2, 4 + 1.5 * Math.log2(count));
  context.fillRect(x, bottom - tall, COLUMN - 1, tall);
}

/** Fills a mark and keeps a hairline of the ground round it, so that marks side by side stay countable. */
function fillApart(context: CanvasRenderingContext2D): void {
  context.closePath();
  context.stroke();
  context.fill();
}

function mark(
  context: CanvasRenderingContext2D,
  kind: EventKind,
  { x, top, bottom }: { x: number; top: number; bottom: number },
): void {
  const middle = (top + bottom) / 2 + 0.5;
  const half = MARK / 2;
  switch (kind) {
    case "message":
      return context.fillRect(x - 1, top + 2, 2, bottom - top - 2);
    case "run":
    case "model":
    case "tool":
    case "memory":
      return context.fillRect(x - 1, top + (bottom - top) * 0.45, 2, (bottom - top) * 0.55);
    case "state":
      context.beginPath();
      context.moveTo(x, middle - half - 1);
      context.lineTo(x + half + 1, middle);
      context.lineTo(x, middle + half + 1);
      context.lineTo(x - half - 1, middle);
      return fillApart(context);
    case "approval":
      context.beginPath();
      context.arc(x, middle, half + 0.5, 0, 2 * Math.PI);
      return fillApart(context);
    case "error":
      context.save();
      context.translate(x, middle);
      context.rotate(Math.PI / 4);
      context.fillRect(-half - 1, -1.25, MARK + 2, 2.5);
      context.fillRect(-1.25, -half - 1, 2.5, MARK + 2);
      return context.restore();
    default:
      return kind satisfies never;
  }
}
