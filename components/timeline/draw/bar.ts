import type { Frame } from "./frame.ts";

/** Bar styles: solid; tinted with an outline; outlined; hatched, for waiting. */
export type BarStyle = "solid" | "soft" | "outline" | "hatched";

interface Bar {
  x0: number;
  x1: number;
  y: number;
  height: number;
  color: string;
  style: BarStyle;
}

const LEAST_WIDTH = 3;
/** Adjacent bars keep a hairline between them. */
const BETWEEN = 1;
const ROUNDED = 5;
const RADIUS = 2;
const HATCH = 6;

/** Draws a bar; the minimum width is 3 pixels. */
export function drawBar({ context, palette }: Frame, { x0, x1, y, height, color, style }: Bar): void {
  const width = Math.max(x1 - x0 - BETWEEN, LEAST_WIDTH);
  if (width < ROUNDED) return drawSliver(context, { x: x0, y, width, height }, { color, style });
  context.beginPath();
  context.roundRect(x0, y, width, height, Math.min(RADIUS, width / 2));
  if (style === "solid") {
    context.fillStyle = color;
    context.fill();
    return;
  }
  context.fillStyle = palette.canvas;
  context.fill();
  if (style === "soft") tint(context, color);
  if (style === "hatched") hatch(context, { x: x0, y, width, height }, color);
  outline(context, { x: x0, y, width, height }, style === "soft" ? 0.55 : 1, color);
}

/** A bar too narrow for corners and outlines: there are thousands in a long session. */
function drawSliver(
  context: CanvasRenderingContext2D,
  box: Box,
  { color, style }: { color: string; style: BarStyle },
): void {
  context.globalAlpha = style === "solid" ? 1 : 0.5;
  context.fillStyle = color;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 1;
}

function tint(context: CanvasRenderingContext2D, color: string): void {
  context.globalAlpha = 0.24;
  context.fillStyle = color;
  context.fill();
  context.globalAlpha = 1;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function outline(context: CanvasRenderingContext2D, { x, y, width, height }: Box, alpha: number, color: string): void {
  context.globalAlpha = alpha;
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, Math.max(width - 1, 1), height - 1, RADIUS - 0.5);
  context.stroke();
  context.globalAlpha = 1;
}

function hatch(context: CanvasRenderingContext2D, { x, y, width, height }: Box, color: string): void {
  context.save();
  context.clip();
  context.globalAlpha = 0.4;
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.beginPath();
  // The stripes are relative to the bar, so that they do not shimmer when it moves.
  for (let left = x - height; left < x + width; left += HATCH) {
    context.moveTo(left, y + height);
    context.lineTo(left + height, y);
  }
  context.stroke();
  context.restore();
}
