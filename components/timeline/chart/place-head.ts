import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { type Projection, xOf } from "@/lib/session/timeline/scale/projection.ts";
import { turnStart } from "@/lib/session/timeline/steps.ts";
import { rowAt } from "@/lib/session/timeline/timeline.ts";
import type { ChartElements, Scene } from "./chart.ts";
import { placeForks } from "./place-forks.ts";

/** The label of the turn includes the time where it covers the axis. */
const RANGE_TEXT = 260;

/** The playhead's position in the visible range and in the session. */
interface Place {
  at: number;
  projection: Projection;
  whole: Projection;
}

/** The width of the step's flag with its padding, in pixels. */
export function flagRoom(step: number): number {
  return 8 * (String(step).length + 2);
}

/** Positions the playhead, the passed part, and the turn so far. */
export function placeHead(elements: ChartElements, scene: Scene, { at, projection, whole }: Place): void {
  const x = xOf(projection, at);
  const start = turnStart(scene.model.lanes.user, at);
  const from = Math.max(xOf(projection, start), 0);
  elements.head.style.transform = elements.veil.style.transform = `translateX(${x}px)`;
  elements.head.style.visibility = elements.overviewHead.style.visibility = "visible";
  elements.flag.textContent = String(at);
  const room = flagRoom(at);
  const isFlipped = x > projection.width - room;
  placeForks(elements.forks, projection, isFlipped ? { left: x - room, right: x } : { left: x, right: x + room });
  elements.head.toggleAttribute("data-flipped", isFlipped);
  elements.range.hidden = at - start < 1 || x <= from || from > projection.width;
  elements.range.style.transform = `translateX(${from}px)`;
  elements.range.style.width = `${Math.min(x, projection.width) - from}px`;
  elements.rangeText.hidden = x - from < RANGE_TEXT;
  // Left of the flag if that is inside the range; estimated from its digits, without measuring.
  elements.rangeText.style.right = isFlipped ? `calc(${String(at).length}ch + 14px)` : "";
  if (!elements.rangeText.hidden)
    elements.rangeText.textContent = scene.words.turnSoFar(start, at, durationOf(scene.model, start, at));
  const over = xOf(whole, at);
  elements.overviewHead.style.transform = elements.overviewVeil.style.transform = `translateX(${over}px)`;
}

function durationOf({ rows }: TimelineModel, from: number, to: number): number | null {
  const start = rowAt(rows, from)?.time ?? null;
  const end = rowAt(rows, to)?.time ?? null;
  return start === null || end === null ? null : Math.max(end - start, 0);
}
