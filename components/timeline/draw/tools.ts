import type { CallSpan } from "@/lib/session/timeline/lanes/lanes.ts";
import { TRACK } from "@/lib/session/timeline/lanes/layout.ts";
import { xOf } from "@/lib/session/timeline/scale/projection.ts";
import { drawBar } from "./bar.ts";
import { extentOf, type Frame, freeLeft, freeRight, lengthOf, SMALL } from "./frame.ts";
import { LEAST_ROOM, setType, write } from "./text.ts";

const HEIGHT = 10;
const GAP = 5;
const INSET = 4;
/** With more visible bars, names are only drawn inside of bars. */
const NAMED_BESIDE = 60;

interface Placed {
  span: CallSpan;
  x0: number;
  x1: number;
  y: number;
}

/** Calls as bars in tracks; failed attempts are red, and the delay before the next one is an outline. */
export function drawTools(frame: Frame): void {
  const tracks = placeCalls(frame);
  const bars = tracks.reduce((count, track) => count + track.length, 0);
  for (const track of tracks) {
    for (const placed of track) drawCall(frame, placed);
    nameCalls(frame, track, bars <= NAMED_BESIDE);
  }
}

/** The visible calls by track, without those too narrow to see. */
function placeCalls(frame: Frame): Placed[][] {
  const box = frame.boxes.get("tools");
  if (!box) return [];
  const tracks: Placed[][] = Array.from({ length: box.tracks }, () => []);
  for (const span of frame.model.lanes.tools) {
    const index = Math.min(span.track, box.tracks - 1);
    const track = tracks[index];
    const extent = extentOf(frame, span);
    if (!track || !extent) continue;
    const before = track.at(-1);
    if (before && extent.x1 < before.x1 + 1 && !span.failed) continue;
    track.push({ span, ...extent, y: box.top + 2 + index * TRACK });
  }
  return tracks;
}

function drawCall(frame: Frame, { span, x0, x1, y }: Placed): void {
  const { palette, projection } = frame;
  const bar = { y, height: HEIGHT };
  const style = span.otherInstance ? "soft" : "solid";
  let from = x0;
  for (const { brokeOff, again } of span.tries) {
    const broke = Math.max(xOf(projection, brokeOff), x0);
    drawBar(frame, { ...bar, x0: from, x1: broke, color: palette.kinds.error, style: "solid" });
    const resumed = again === null ? broke : Math.max(xOf(projection, again), broke);
    if (resumed > broke) drawPause(frame, { brokeOff, again }, { x0: broke, x1: resumed, y });
    from = resumed;
  }
  const color = span.failed ? palette.kinds.error : palette.kinds.tool;
  drawBar(frame, { ...bar, x0: from, x1, color, style });
}

function drawPause(
  frame: Frame,
  pause: { brokeOff: number; again: number | null },
  { x0, x1, y }: { x0: number; x1: number; y: number },
): void {
  const { palette, words, context } = frame;
  drawBar(frame, { x0, x1, y, height: HEIGHT, color: palette.lineControl, style: "outline" });
  const length = lengthOf(frame, { from: pause.brokeOff, to: pause.again });
  if (length === null) return;
  setType(frame, { color: palette.fg3, font: SMALL });
  const text = words.duration(length);
  const width = context.measureText(text).width;
  if (width + 6 < x1 - x0) write(frame, text, { x: (x0 + x1 - width) / 2, y: y + HEIGHT / 2, room: width });
}

/** The widest attempt of a call. */
function widestFill({ projection }: Frame, { span, x0, x1 }: Placed): { x0: number; x1: number } {
  const fills: { x0: number; x1: number }[] = [];
  let from = x0;
  for (const { brokeOff, again } of span.tries) {
    const broke = Math.max(xOf(projection, brokeOff), x0);
    fills.push({ x0: from, x1: broke });
    from = again === null ? broke : Math.max(xOf(projection, again), broke);
  }
  const inSight = (fill: { x0: number; x1: number }) => Math.min(fill.x1, projection.width) - Math.max(fill.x0, 0);
  return fills.reduce((widest, fill) => (inSight(fill) > inSight(widest) ? fill : widest), { x0: from, x1 });
}

/** Names inside of bars if they fit, else beside them in free space. */
function nameCalls(frame: Frame, track: readonly Placed[], beside: boolean): void {
  const { context, palette, projection } = frame;
  let taken = 0;
  for (const [i, { span, x0, x1, y }] of track.entries()) {
    const end = Math.max(x1, x0 + 3);
    const covered = track[i + 1]?.x0 ?? x1;
    const filled = widestFill(frame, { span, x0, x1, y });
    const left = Math.max(filled.x0, 0) + INSET;
    const room = Math.min(filled.x1, covered) - left - INSET;
    if (room < LEAST_ROOM && !beside) continue;
    setType(frame, { color: span.otherInstance ? palette.fg : palette.barFg, font: SMALL, weight: 500 });
    const short = span.tool.slice(span.tool.lastIndexOf(".") + 1);
    const inside = [span.tool, short].find((name) => context.measureText(name).width <= room);
    const middle = y + HEIGHT / 2;
    if (inside) write(frame, inside, { x: left, y: middle, room });
    else if (beside) {
      setType(frame, { color: palette.fg2, font: SMALL });
      const width = context.measureText(span.tool).width;
      const free = Math.min(track[i + 1]?.x0 ?? projection.width, freeRight(frame, end));
      if (x0 - GAP - width >= Math.max(taken, freeLeft(frame, x0)))
        write(frame, span.tool, { x: x0 - GAP - width, y: middle, room: width });
      else if (end + GAP + width + GAP <= free) {
        write(frame, span.tool, { x: end + GAP, y: middle, room: width });
        taken = end + GAP + width + GAP;
        continue;
      }
    }
    taken = end + GAP;
  }
}
