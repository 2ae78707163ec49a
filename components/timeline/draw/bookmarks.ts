import { type Projection, xOf } from "@/lib/session/timeline/scale/projection.ts";

const WIDTH = 7;
const HEIGHT = 9;
const NOTCH = 3;

/** A ribbon at the top for each visible bookmark. */
export function drawBookmarks(
  context: CanvasRenderingContext2D,
  {
    projection,
    steps,
    color,
    ground,
  }: { projection: Projection; steps: readonly number[]; color: string; ground: string },
): void {
  context.fillStyle = color;
  context.strokeStyle = ground;
  context.lineWidth = 1.5;
  for (const seq of steps) {
    const x = Math.round(xOf(projection, seq)) - WIDTH / 2 + 0.5;
    if (x < -WIDTH || x > projection.width) continue;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x + WIDTH, 0);
    context.lineTo(x + WIDTH, HEIGHT);
    context.lineTo(x + WIDTH / 2, HEIGHT - NOTCH);
    context.lineTo(x, HEIGHT);
    context.closePath();
    context.stroke();
    context.fill();
  }
}
