import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { binSteps } from "@/lib/session/timeline/scale/bins.ts";
import type { Projection } from "@/lib/session/timeline/scale/projection.ts";
import type { Palette } from "../chart/palette.ts";

const PITCH = 4;
const LEAST_HEIGHT = 3;
/** The minimum height of notable events: one error in a hundred steps is a red tip, not a red bar. */
const LEAST_TIP = 3;

/** The whole session: a bar per few pixels, colored by messages, approvals and errors. */
export function drawOverview(
  context: CanvasRenderingContext2D,
  {
    projection,
    model,
    palette,
    height,
  }: { projection: Projection; model: TimelineModel; palette: Palette; height: number },
): void {
  const bins = binSteps(projection, model.marks, PITCH);
  const most = bins.reduce((max, { count }) => Math.max(max, count), 1);
  const tallest = height - 4;
  for (const { x, count, kind, telling } of bins) {
    const standsOut = kind === "error" || kind === "approval" || kind === "message";
    const tall = LEAST_HEIGHT + ((tallest - LEAST_HEIGHT) * Math.log1p(count)) / Math.log1p(most);
    const tip = standsOut ? Math.max((tall * telling) / count, LEAST_TIP) : 0;
    context.globalAlpha = 0.62;
    context.fillStyle = palette.kinds.run;
    context.fillRect(x, height - 2 - tall + tip, PITCH - 1, tall - tip);
    context.globalAlpha = 1;
    context.fillStyle = palette.kinds[kind];
    context.fillRect(x, height - 2 - tall, PITCH - 1, tip);
  }
}
