import type { AgentWork, CallSpan } from "@/lib/session/timeline/lanes/lanes.ts";
import { AGENT_TRACK, type LaneBox } from "@/lib/session/timeline/lanes/layout.ts";
import { xOf } from "@/lib/session/timeline/scale/projection.ts";
import { drawBar } from "./bar.ts";
import { extentOf, type Frame, SMALL } from "./frame.ts";
import { LEAST_ROOM, setType, write } from "./text.ts";

const GAP = 5;
const WORK = 5;
const DELEGATE = 3;
/** A narrower bar that ends where the previous one ended is skipped, px. */
const HIDDEN = 1;

/** The positions of an agent's turns and work in its lane, in pixels from its top. */
export function agentRows({ height, tracks }: LaneBox): { turns: number; turnHeight: number; work: number } {
  const below = tracks * AGENT_TRACK;
  const turnHeight = Math.min(12, height - below - 4);
  const turns = Math.floor((height - turnHeight - below - 2) / 2);
  return { turns, turnHeight, work: turns + turnHeight + 2 };
}

/** The row of a call among the agent's work; model responses are in the first. */
export function rowOfCall(box: LaneBox, { track }: { track: number }): number {
  return box.top + agentRows(box).work + Math.min(track, box.tracks - 1) * AGENT_TRACK;
}

/** A lane per agent: its turns as tinted bars, and below them model responses and calls. */
export function drawAgents(frame: Frame): void {
  for (const work of frame.model.lanes.byAgent) {
    const box = frame.boxes.get(work.lane);
    if (!box) continue;
    drawTurns(frame, box, work);
    drawWork(frame, box, work);
  }
}

function drawTurns(frame: Frame, box: LaneBox, { turns }: AgentWork): void {
  const { palette, words } = frame;
  const rows = agentRows(box);
  let right = Number.NEGATIVE_INFINITY;
  for (const turn of turns) {
    const extent = extentOf(frame, turn);
    if (!extent || (extent.x1 < right + HIDDEN && !turn.isWithin)) continue;
    right = Math.max(right, extent.x1);
    const color = turn.failed ? palette.kinds.error : palette.kinds.run;
    const y = box.top + rows.turns;
    if (turn.isWithin) {
      frame.context.fillStyle = color;
      frame.context.fillRect(extent.x0, y + rows.turnHeight - DELEGATE, extent.x1 - extent.x0 - 1, DELEGATE);
      continue;
    }
    drawBar(frame, { ...extent, y, height: rows.turnHeight, color, style: "soft" });
    const left = Math.max(extent.x0, 0);
    const room = extent.x1 - left - 2 * GAP;
    if (room < LEAST_ROOM || turn.isMany) continue;
    setType(frame, { color: palette.fg, font: SMALL, weight: 500 });
    const text = turn.number > 0 ? words.run(turn.number) : words.delegate;
    write(frame, text, { x: left + GAP, y: box.top + rows.turns + rows.turnHeight / 2, room });
  }
}

function drawWork(frame: Frame, box: LaneBox, { model, tools }: AgentWork): void {
  const { kinds } = frame.palette;
  const rights = new Map<number, number>();
  const draw = (span: Span, y: number, color: string) => {
    const extent = extentOf(frame, span);
    if (!extent || (extent.x1 < (rights.get(y) ?? Number.NEGATIVE_INFINITY) + HIDDEN && !span.failed)) return;
    rights.set(y, extent.x1);
    drawBar(frame, { ...extent, y, height: WORK, color: span.failed ? kinds.error : color, style: "solid" });
  };
  for (const span of model) draw(span, rowOfCall(box, { track: 0 }), kinds.model);
  rights.clear();
  for (const call of tools) {
    const y = rowOfCall(box, call);
    draw(call, y, kinds.tool);
    for (const one of call.tries) drawTry(frame, call, one, y);
  }
}

interface Span {
  from: number;
  to: number | null;
  failed: boolean;
}

/** A failed attempt is red; the delay after it is empty. */
function drawTry(frame: Frame, call: CallSpan, { brokeOff, again }: CallSpan["tries"][number], y: number): void {
  const before = call.tries.findLast((one) => one.brokeOff < brokeOff)?.again ?? call.from;
  const tried = extentOf(frame, { from: before, to: brokeOff });
  const { palette, projection, context } = frame;
  if (!tried) return;
  drawBar(frame, { ...tried, y, height: WORK, color: palette.kinds.error, style: "solid" });
  if (again === null) return;
  const pause = Math.min(xOf(projection, again), projection.width) - tried.x1;
  context.fillStyle = palette.canvas;
  context.fillRect(tried.x1, y, Math.max(pause - 1, 0), WORK);
}
