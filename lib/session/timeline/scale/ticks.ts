import { timeAt } from "./axis.ts";
import { type Projection, placeAt, xOf } from "./projection.ts";

/** A label of the axis: a clock time at the start of a stretch, an offset in it, or a step's number. */
export interface AxisTick {
  x: number;
  kind: "clock" | "offset" | "step";
  /** Epoch ms, ms since the start of the stretch, or the step. */
  value: number;
  /** The fractional digits of a clock time between labels that are less than a second apart. */
  digits?: 1 | 2 | 3;
}

/** The width of a label, in pixels: "+10 s", "143". */
const ROOM = { offset: 52, step: 44 } as const;
/** The minimum distance of labels. */
const APART = { time: 88, steps: 64 } as const;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NICE_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
];

/**
 * The visible labels, from left to right, without overlaps. Clock times have priority over offsets; `clockRoom` is the
 * width of one, in pixels.
 */
export function axisTicks(projection: Projection, clockRoom: number): AxisTick[] {
  const { axis } = projection;
  const ticks = axis.times ? timeTicks(projection, clockRoom) : stepTicks(projection);
  return withoutOverlaps(ticks, { ...ROOM, clock: clockRoom });
}

function stepTicks(projection: Projection): AxisTick[] {
  const { axis, width, zoom } = projection;
  const step = niceCount(APART.steps / zoom);
  const ticks: AxisTick[] = [];
  const first = Math.max(0, Math.floor(-xOf(projection, 1) / zoom / step));
  for (let seq = Math.max(first * step, 1); seq <= axis.last; seq = Math.floor(seq / step + 1) * step) {
    const x = xOf(projection, seq);
    if (x > width) break;
    if (x >= 0) ticks.push({ x, kind: "step", value: seq });
  }
  return ticks;
}

function timeTicks(projection: Projection, clockRoom: number): AxisTick[] {
  const { axis, width, zoom } = projection;
  const every = niceMs(APART.time / zoom);
  const ticks: AxisTick[] = [];
  const passed = placeAt(projection, 0).folds;
  const next = axis.folds.findIndex(({ before, count }) => before + count > passed);
  const firstStretch = next === -1 ? axis.folds.length : next;
  for (let stretch = firstStretch; stretch <= axis.folds.length; stretch += 1) {
    const start = axis.folds[stretch - 1]?.seq ?? 1;
    const end = (axis.folds[stretch]?.seq ?? axis.last + 1) - 1;
    const x = xOf(projection, start);
    if (x > width) break;
    const clock = timeAt(axis, start) ?? 0;
    if (x >= 0) ticks.push({ x, kind: "clock", value: clock });
    else if (xOf(projection, end) > clockRoom) ticks.push({ x: 0, kind: "clock", value: clock - x / zoom });
    pushOffsets(ticks, { x, end: Math.min(xOf(projection, end), width), every, zoom, clock });
  }
  return ticks;
}

interface Stretch {
  x: number;
  end: number;
  every: number;
  zoom: number;
  /** Epoch ms of its start. */
  clock: number;
}

/** Durations of a minute and more have no seconds: if ticks are closer than that, clock times are used. */
function pushOffsets(ticks: AxisTick[], stretch: Stretch): void {
  const first = Math.max(1, Math.ceil(-stretch.x / stretch.zoom / stretch.every));
  for (let n = first; ; n += 1) {
    const x = stretch.x + n * stretch.every * stretch.zoom;
    if (x > stretch.end) return;
    const offset = n * stretch.every;
    const isTold = offset < MINUTE || (stretch.every % MINUTE === 0 && offset < DAY);
    if (isTold) ticks.push({ x, kind: "offset", value: offset });
    else ticks.push({ x, kind: "clock", value: stretch.clock + offset, ...fractionOf(stretch.every) });
  }
}

/** As many digits as tell two neighbouring labels apart. */
function fractionOf(every: number): Pick<AxisTick, "digits"> {
  if (every >= SECOND) return {};
  return { digits: every >= 100 ? 1 : every >= 10 ? 2 : 3 };
}

type Room = Record<AxisTick["kind"], number>;

function withoutOverlaps(ticks: AxisTick[], room: Room): AxisTick[] {
  const kept: AxisTick[] = [];
  for (const tick of ticks) {
    while (isOver(kept.at(-1), tick, room) && tick.kind === "clock" && kept.at(-1)?.kind === "offset") kept.pop();
    if (!isOver(kept.at(-1), tick, room)) kept.push(tick);
  }
  return kept;
}

function isOver(before: AxisTick | undefined, tick: AxisTick, room: Room): boolean {
  return before !== undefined && tick.x < before.x + room[before.kind];
}

/** The smallest of 1, 2, 5, 10, 20 … that is not less. */
function niceCount(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) ?? power;
}

function niceMs(least: number): number {
  return NICE_MS.find((ms) => ms >= least) ?? niceCount(least / DAY) * DAY;
}
