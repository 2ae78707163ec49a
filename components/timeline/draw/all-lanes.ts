import { drawAgents } from "./agents.ts";
import { drawAxis, drawFolds, drawFoldTexts } from "./axis.ts";
import { drawEvents } from "./events.ts";
import type { Frame } from "./frame.ts";
import { drawAgent, drawApprovals, drawModel, drawUser } from "./lanes.ts";
import { drawTools } from "./tools.ts";

/** The axis and all lanes, in drawing order. */
export function drawAllLanes(frame: Frame): void {
  const { context, palette, projection, boxes } = frame;
  drawFolds(frame);
  context.fillStyle = palette.line;
  for (const { top, height } of boxes.values()) context.fillRect(0, top + height - 1, projection.width, 1);
  drawAxis(frame);
  drawEvents(frame);
  drawUser(frame);
  drawAgent(frame);
  drawModel(frame);
  drawTools(frame);
  drawAgents(frame);
  drawApprovals(frame);
  drawFoldTexts(frame);
}
