import { type Projection, xOf } from "@/lib/session/timeline/scale/projection.ts";
import { type AxisTick, axisTicks } from "@/lib/session/timeline/scale/ticks.ts";
import { flagRoom } from "../chart/place-head.ts";
import { AXIS, type Frame, type Strip } from "./frame.ts";
import { setType, write } from "./text.ts";

/** Axis labels with vertical hairlines through the lanes. */
export function drawAxis(frame: Frame): void {
  const box = frame.boxes.get("axis");
  if (!box) return;
  const { context, palette, height } = frame;
  const end = endOf(frame.projection);
  for (const tick of axisTicks(frame.projection, clockRoom(frame))) {
    const isClock = tick.kind === "clock";
    context.fillStyle = palette.line;
    if (!isClock) context.fillRect(Math.round(tick.x), box.height, 1, height - box.height);
    context.fillStyle = isClock ? palette.lineControl : palette.lineStrong;
    if (tick.x > 0) context.fillRect(Math.round(tick.x), 2, 1, box.height - 3);
    setType(frame, { color: isClock ? palette.fg : palette.fg3, font: AXIS, weight: isClock ? 500 : 400 });
    const text = textOf(frame, tick);
    const x = Math.round(tick.x) + 4;
    const width = context.measureText(text).width;
    if (x + width <= end) write(frame, text, { x, y: box.height / 2, room: width });
  }
}

/** The limit of labels: the edge, or the flag of a playhead at the end. */
function endOf(projection: Projection): number {
  const { axis, width } = projection;
  const { last } = axis;
  const x = xOf(projection, last);
  return x <= width && x > width - flagRoom(last) ? x - flagRoom(last) : width;
}

/** Times with a day are wider. */
function clockRoom(frame: Frame): number {
  const [first] = frame.projection.axis.times ?? [];
  setType(frame, { color: frame.palette.fg, font: AXIS, weight: 500 });
  return first === undefined ? 0 : frame.context.measureText(frame.words.clock(first)).width + CLOCK_AIR;
}

function textOf({ words }: Frame, { kind, value, digits }: AxisTick): string {
  switch (kind) {
    case "clock":
      return words.clock(value, digits);
    case "offset":
      return words.offset(value);
    case "step":
      return String(value);
    default:
      return kind satisfies never;
  }
}

const CLOCK_AIR = 16;
/** The minimum widths of a strip for its text and for its pattern. */
const TEXT_WIDTH = 14;
const RIBS_WIDTH = 6;
const RIB = 4;
/** Padding between a strip and the marks beside it. */
const AIR = 0.22;

/** Idle periods as patterned strips, below the bars. */
export function drawFolds(frame: Frame): void {
  const { context, palette, height, strips } = frame;
  const top = frame.boxes.get("axis")?.height ?? 0;
  for (const { x, width } of strips) {
    context.fillStyle = palette.line;
    if (width >= RIBS_WIDTH)
      for (let rib = x + RIB; rib < x + width - 1; rib += RIB) context.fillRect(Math.round(rib), top, 1, height - top);
    context.fillStyle = palette.lineStrong;
    context.fillRect(Math.round(x), top, 1, height - top);
    if (width >= RIBS_WIDTH) context.fillRect(Math.round(x + width), top, 1, height - top);
  }
}

/** The length of each idle period, vertical in its strip, above the bars. */
export function drawFoldTexts(frame: Frame): void {
  const { context, palette, height, strips, words } = frame;
  const top = frame.boxes.get("axis")?.height ?? 0;
  for (const { x, width, ms } of strips) {
    if (width < TEXT_WIDTH) continue;
    const text = words.duration(ms);
    setType(frame, { color: palette.fg3, font: AXIS });
    const length = context.measureText(text).width + 10;
    context.save();
    context.translate(x + width / 2 + 0.5, top + (height - top) / 2);
    context.rotate(-Math.PI / 2);
    context.beginPath();
    context.roundRect(-length / 2, -8, length, 16, 3);
    context.fillStyle = palette.canvas;
    context.fill();
    context.strokeStyle = palette.lineStrong;
    context.stroke();
    context.fillStyle = palette.fg3;
    context.fillText(text, -length / 2 + 5, 0.5);
    context.restore();
  }
}

/** The visible idle periods, from left to right. */
export function stripsInSight(projection: Projection): Strip[] {
  const { axis, fold, width } = projection;
  const strips: Strip[] = [];
  for (const { seq, ms, isPlaced } of axis.folds) {
    if (!isPlaced) continue;
    const end = xOf(projection, seq);
    if (end < 0 || end - fold > width) continue;
    strips.push({ x: end - fold * (1 - AIR), width: fold * (1 - 2 * AIR), ms });
  }
  return strips;
}
