import type { RunSpan } from "@/lib/session/timeline/lanes/lanes.ts";
import type { LaneBox } from "@/lib/session/timeline/lanes/layout.ts";
import { xOf } from "@/lib/session/timeline/scale/projection.ts";
import { drawBar } from "./bar.ts";
import { extentOf, type Frame, freeRight, lengthOf, SMALL } from "./frame.ts";
import { LEAST_ROOM, setType, write } from "./text.ts";

/** A narrower bar that ends where the previous one ended is skipped, px. */
const HIDDEN = 1;
/** Shorter excerpts are not drawn. */
const SAYS_SOMETHING = 40;
/** The gap between a label and its neighbour. */
const GAP = 5;

function barOf(box: LaneBox): { y: number; height: number; middle: number } {
  const height = Math.min(11, box.height - 5);
  const y = box.top + Math.floor((box.height - height) / 2);
  return { y, height, middle: y + height / 2 };
}

/** Messages: a block, with the first words as far as they fit. */
export function drawUser(frame: Frame): void {
  const box = frame.boxes.get("user");
  if (!box) return;
  const { projection, model, palette, words, messages } = frame;
  const { y, height, middle } = barOf(box);
  let right = Number.NEGATIVE_INFINITY;
  for (const [i, seq] of model.lanes.user.entries()) {
    const x = xOf(projection, seq);
    if (x < right + HIDDEN || x > projection.width) continue;
    right = x;
    if (x < -300) continue;
    drawBar(frame, { x0: x, x1: x + 6, y, height, color: palette.kinds.message, style: "solid" });
    const text = messages.get(seq);
    const next = model.lanes.user[i + 1];
    const end = Math.min(next === undefined ? projection.width : xOf(projection, next), freeRight(frame, x));
    const room = end - x - 6 - 3 * GAP;
    if (text === undefined || room < SAYS_SOMETHING) continue;
    setType(frame, { color: palette.fg2, font: SMALL });
    write(frame, words.quote(text), { x: x + 6 + GAP, y: middle, room });
  }
}

/** Turns of agents as tinted bars; a delegate's run is inside its turn. */
export function drawAgent(frame: Frame): void {
  const box = frame.boxes.get("agent");
  if (!box) return;
  let right = Number.NEGATIVE_INFINITY;
  const delegates: RunSpan[] = [];
  for (const run of frame.model.lanes.agent) {
    const extent = extentOf(frame, run);
    if (!extent || extent.x1 < right + HIDDEN) continue;
    if (run.number === 0) {
      delegates.push(run);
      continue;
    }
    right = extent.x1;
    drawRun(frame, box, run, extent);
  }
  for (const run of delegates) {
    const extent = extentOf(frame, run);
    if (extent && extent.x1 - extent.x0 >= 4) drawDelegate(frame, box, extent);
  }
}

function drawRun(frame: Frame, box: LaneBox, run: RunSpan, { x0, x1 }: { x0: number; x1: number }): void {
  const { palette, words } = frame;
  const { y, height, middle } = barOf(box);
  const color = run.failed ? palette.kinds.error : palette.kinds.run;
  drawBar(frame, { x0, x1, y, height, color, style: "soft" });
  const left = Math.max(x0, 0);
  const room = x1 - left - 2 * GAP;
  if (room < LEAST_ROOM || run.isMany) return;
  setType(frame, { color: palette.fg, font: SMALL, weight: 500 });
  write(frame, words.run(run.number), { x: left + GAP, y: middle, room });
}

function drawDelegate(frame: Frame, box: LaneBox, { x0, x1 }: { x0: number; x1: number }): void {
  const { y, height } = barOf(box);
  frame.context.fillStyle = frame.palette.kinds.run;
  frame.context.fillRect(x0, y + height - 3, x1 - x0, 3);
}

/** Model requests with their responses. */
export function drawModel(frame: Frame): void {
  const box = frame.boxes.get("model");
  if (!box) return;
  const { palette, words, model } = frame;
  const { y, height, middle } = barOf(box);
  let right = Number.NEGATIVE_INFINITY;
  for (const span of model.lanes.model) {
    const extent = extentOf(frame, span);
    if (!extent || extent.x1 < right + HIDDEN) continue;
    right = extent.x1;
    const color = span.failed ? palette.kinds.error : palette.kinds.model;
    drawBar(frame, { ...extent, y, height, color, style: "solid" });
    const left = Math.max(extent.x0, 0);
    const room = extent.x1 - left - 2 * GAP;
    if (!span.outcome || room < LEAST_ROOM) continue;
    setType(frame, { color: palette.barFg, font: SMALL, weight: 500 });
    write(frame, words[span.outcome], { x: left + GAP, y: middle, room });
  }
}

/** Approvals: hatched until decided; pending ones extend to the edge. */
export function drawApprovals(frame: Frame): void {
  const box = frame.boxes.get("approvals");
  if (!box) return;
  const { palette, words, model, projection, context } = frame;
  const { y, height, middle } = barOf(box);
  let right = Number.NEGATIVE_INFINITY;
  for (const [i, span] of model.lanes.approvals.entries()) {
    const extent = extentOf(frame, span);
    if (!extent || extent.x1 < right + HIDDEN) continue;
    right = extent.x1;
    drawBar(frame, { ...extent, y, height, color: palette.kinds.approval, style: "hatched" });
    const next = model.lanes.approvals[i + 1];
    const inside = Math.max(extent.x0, 0) + 3 * GAP;
    const end = next === undefined ? projection.width : Math.max(xOf(projection, next.from), extent.x1);
    if (end - inside < SAYS_SOMETHING || span.isMany) continue;
    const text = words.approval(span.tool, span.outcome, lengthOf(frame, span));
    setType(frame, { color: palette.waiting, font: SMALL, weight: 500 });
    const width = Math.min(context.measureText(text).width, end - inside);
    context.fillStyle = palette.canvas;
    context.fillRect(inside - GAP, y + 1, width + 2 * GAP, height - 2);
    context.fillStyle = palette.waiting;
    write(frame, text, { x: inside, y: middle, room: width });
  }
}
