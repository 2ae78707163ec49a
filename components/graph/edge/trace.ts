import type { Region } from "../canvas/use-visible-tiles.ts";

export interface Point {
  x: number;
  y: number;
}

/** The corner radius of an edge, px. */
const CORNER = 9;

/** An orthogonal route as an SVG path; corners are rounded as far as the shorter segment allows. */
export function tracePath(points: readonly Point[], radius: number = CORNER): string {
  const turns = withoutStraight(points);
  const [start, ...rest] = turns;
  if (!start) return "";
  let path = `M${start.x},${start.y}`;
  rest.forEach((point, index) => {
    const before = turns[index] ?? start;
    const after = rest[index + 1];
    if (!after) {
      path += `L${point.x},${point.y}`;
      return;
    }
    const room = Math.min(radius, distance(before, point) / 2, distance(point, after) / 2);
    const enter = toward(point, before, room);
    const leave = toward(point, after, room);
    path += `L${enter.x},${enter.y}Q${point.x},${point.y} ${leave.x},${leave.y}`;
  });
  return path;
}

/** The route, shortened by this many px for an arrowhead or a bar. */
export function shorten(points: readonly Point[], by: number): Point[] {
  const last = points.at(-1);
  const before = points.at(-2);
  if (!last || !before) return [...points];
  return [...points.slice(0, -1), toward(last, before, Math.min(by, distance(last, before)))];
}

/** Whether a route crosses a rectangle. */
export function passes(points: readonly Point[], { left, top, right, bottom }: Region): boolean {
  return points.some((point, index) => {
    const before = points[index - 1] ?? point;
    const isBeside = Math.max(before.x, point.x) < left || Math.min(before.x, point.x) > right;
    return !isBeside && Math.max(before.y, point.y) >= top && Math.min(before.y, point.y) <= bottom;
  });
}

function withoutStraight(points: readonly Point[]): Point[] {
  return points.filter((point, index) => {
    const before = points[index - 1];
    const after = points[index + 1];
    if (!before || !after) return true;
    return !(before.x === point.x && point.x === after.x) && !(before.y === point.y && point.y === after.y);
  });
}

function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function toward(from: Point, to: Point, by: number): Point {
  const length = distance(from, to) || 1;
  return { x: round(from.x + ((to.x - from.x) / length) * by), y: round(from.y + ((to.y - from.y) / length) * by) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
