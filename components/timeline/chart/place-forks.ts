import { type Projection, xOf } from "@/lib/session/timeline/timeline-projection.ts";

/** So far beyond the right edge an end is out of sight. */
const PAST = 4;

/** A mark stands left of its step and is so wide, in pixels (timeline.css). */
const MARK = 18;

/** Moves the marks of forks to the steps that they name; one that would lie upon the playhead's flag stands left of that. */
export function placeForks(forks: HTMLElement, projection: Projection, flag: { left: number; right: number }): void {
  for (const mark of forks.children) {
    if (!(mark instanceof HTMLElement)) continue;
    const x = xOf(projection, Number(mark.dataset.seq));
    const isUnder = x > flag.left && x - MARK < flag.right;
    mark.style.transform = `translateX(${isUnder ? flag.left : x}px)`;
  }
}

/** Shades a fork's history: up to the middle between the last step that was brought along and the first of the fork's own. */
export function placeBrought(element: HTMLElement, projection: Projection, brought: number): void {
  element.hidden = brought === 0;
  const end = (xOf(projection, brought) + xOf(projection, brought + 1)) / 2;
  element.style.width = `${Math.min(Math.max(end, 0), projection.width + PAST)}px`;
}
