import { rowAt } from "@/lib/session/timeline/timeline.ts";
import type { TimelineModel } from "@/lib/session/timeline/timeline-model.ts";
import { type Projection, xOf } from "@/lib/session/timeline/timeline-projection.ts";
import { turnStart } from "@/lib/session/timeline/timeline-steps.ts";
import type { ChartElements, Scene } from "./chart.ts";
import { placeForks } from "./place-forks.ts";

/** The turn says how long it is where it hides no clock time of the axis. */
const RANGE_TEXT = 260;

/** Where the playhead is, among the steps in sight and in the whole session. */
interface Place {
  at: number;
  projection: Projection;
  whole: Projection;
}

/** So wide is the flag with the number of a step, in pixels, with air. */
export function flagRoom(step: number): number {
  return 8 * (String(step).length + 2);
}

/** Moves the playhead, what it has passed, and the turn so far. */
export function placeHead(elements: ChartElements, scene: Scene, { at, projection, whole }: Place): void {
  const x = xOf(projection, at);
  const start = turnStart(scene.model.lanes.user, at);
  const from = Math.max(xOf(projection, start), 0);
  elements.head.style.transform = elements.veil.style.transform = `translateX(${x}px)`;
  elements.flag.textContent = String(at);
  const room = flagRoom(at);
  const isFlipped = x > projection.width - room;
  placeForks(elements.forks, projection, isFlipped ? { left: x - room, right: x } : { left: x, right: x + room });
  elements.head.toggleAttribute("data-flipped", isFlipped);
  elements.range.hidden = at - start < 1 || x <= from || from > projection.width;
  elements.range.style.transform = `translateX(${from}px)`;
  elements.range.style.width = `${Math.min(x, projection.width) - from}px`;
  elements.rangeText.hidden = x - from < RANGE_TEXT;
  // Left of the flag, where that stands inside of the range; in its digits, so that nothing is measured.
  elements.rangeText.style.right = isFlipped ? `calc(${String(at).length}ch + 14px)` : "";
  if (!elements.rangeText.hidden)
    elements.rangeText.textContent = scene.words.range(start, at, durationOf(scene.model, start, at));
  const over = xOf(whole, at);
  elements.overviewHead.style.transform = elements.overviewVeil.style.transform = `translateX(${over}px)`;
}

function durationOf({ rows }: TimelineModel, from: number, to: number): number | null {
  const start = rowAt(rows, from)?.time ?? null;
  const end = rowAt(rows, to)?.time ?? null;
  return start === null || end === null ? null : Math.max(end - start, 0);
}
