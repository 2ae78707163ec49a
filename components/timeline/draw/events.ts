import type { EventKind } from "@/lib/session/events/kinds.ts";
import { binSteps, hasBuckets } from "@/lib/session/timeline/scale/bins.ts";
import { stepsInSight } from "@/lib/session/timeline/scale/projection.ts";
import type { Frame } from "./frame.ts";

/** With more than one step in this many pixels, columns are drawn instead of marks. */
const DENSE = 3;
const COLUMN = 3;
const MARK = 7;
/** The minimum height of notable events in a column. */
const LEAST_TIP = 5;

/**
 * One mark per step: tall for messages, short for calls, model, runs and memory; approvals, alerts and errors have
 * shapes.
 */
export function drawEvents(frame: Frame): void {
  const box = frame.boxes.get("events");
  if (!box) return;
  const { projection, model, context, palette } = frame;
  const { from, to } = stepsInSight(projection);
  const isDense = (to - from) * DENSE > projection.width || hasBuckets(projection, model.marks);
  const bins = binSteps(projection, model.marks, isDense ? COLUMN : 1);
  const bottom = box.top + box.height - 2;
  context.strokeStyle = palette.canvas;
  context.lineWidth = 2;
  for (const { x, kind, count, telling } of bins) {
    context.fillStyle = palette.kinds[kind];
    const centre = isDense ? x + COLUMN / 2 : x + 0.5;
    if (isDense) column(frame, { x, kind, share: telling / count, count, bottom, height: box.height - 4 });
    else mark(context, kind, { x: centre, top: box.top, bottom });
  }
}

interface Column {
  x: number;
  kind: EventKind;
  /** The part of the column that is of this kind. */
  share: number;
  count: number;
  bottom: number;
  height: number;
}

/** A column's height grows with the logarithm of its steps. Notable events have full height, with color by share. */
function column({ context, palette }: Frame, { x, kind, share, count, bottom, height }: Column): void {
  const standsOut = kind === "error" || kind === "approval" || kind === "message";
  if (!standsOut) {
    const tall = Math.min(height - 2, 4 + 1.5 * Math.log2(Math.max(count, 1)));
    context.fillRect(x, bottom - tall, COLUMN - 1, tall);
    return;
  }
  const tip = Math.max(height * share, LEAST_TIP);
  context.fillRect(x, bottom - height, COLUMN - 1, tip);
  context.fillStyle = palette.line;
  context.fillRect(x, bottom - height + tip, COLUMN - 1, height - tip);
}

/** Fills a mark with a hairline around it, so that adjacent marks can be counted. */
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
