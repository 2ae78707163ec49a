import { type Projection, xOf } from "@/lib/session/timeline/scale/projection.ts";

/** This far beyond the right edge an end is not visible. */
const PAST = 4;

/** A mark is left of its step and has this width, in pixels (timeline.css). */
const MARK = 18;

/** Positions the marks of forks; one that would cover the playhead's flag is moved left of it. */
export function placeForks(forks: HTMLElement, projection: Projection, flag: { left: number; right: number }): void {
  for (const mark of forks.children) {
    if (!(mark instanceof HTMLElement)) continue;
    const x = xOf(projection, Number(mark.dataset.seq));
    const isUnder = x > flag.left && x - MARK < flag.right;
    mark.style.transform = `translateX(${isUnder ? flag.left : x}px)`;
  }
}

/** Shades the copied history of a fork: up to the middle between its last copied and its first own step. */
export function placeBrought(element: HTMLElement, projection: Projection, brought: number): void {
  element.hidden = brought === 0;
  const end = (xOf(projection, brought) + xOf(projection, brought + 1)) / 2;
  element.style.width = `${Math.min(Math.max(end, 0), projection.width + PAST)}px`;
}
