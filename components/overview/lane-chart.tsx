import type { Overview } from "@/lib/api/shapes.ts";
import type { Lane } from "./lane.ts";
import { scaleOf } from "./scale.ts";

type Bucket = Overview["buckets"][number];

const HEIGHT = 100;
/** Drawn a little below the top, so that the highest is not cut. */
const ROOM = 4;

interface LaneChartProps {
  lane: Lane;
  buckets: readonly Bucket[];
  /** The bucket from which on it is worse; null: nowhere. */
  worseFrom: number | null;
}

/** The drawing of a lane: now over the period before, from 0. Its cells are also in the table, so it is hidden from readers. */
export function LaneChart({ lane, buckets, worseFrom }: LaneChartProps) {
  // The highest of several lines has outliers: the scale is that of the others.
  const scaled = lane.lines.length > 1 ? lane.lines.slice(0, -1) : lane.lines;
  const values = scaled.flatMap(({ read }) => buckets.flatMap(({ now, earlier }) => [read(now), read(earlier)]));
  const highest = scaleOf(values.filter((value) => value !== null)) * (lane.lines.length > 1 ? 2 : 1);
  const y = (value: number) => HEIGHT - (Math.min(value, highest) / highest) * (HEIGHT - ROOM);
  const width = buckets.length;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      <path d={`M0 ${HEIGHT}H${width}`} className="lane-base" />
      {lane.lines.map((line) => {
        const now = buckets.map((bucket) => line.read(bucket.now));
        const earlier = buckets.map((bucket) => line.read(bucket.earlier));
        if (lane.isBars)
          return (
            <g key={line.name}>
              {now.map((value, index) =>
                value ? (
                  <rect
                    // biome-ignore lint/suspicious/noArrayIndexKey: a bucket has no other name
                    key={index}
                    x={index + 0.12}
                    width={0.76}
                    y={y(value)}
                    height={HEIGHT - y(value)}
                    className="lane-bar"
                  />
                ) : null,
              )}
              <Course values={earlier} y={y} className="lane-before" />
            </g>
          );
        return (
          <g key={line.name}>
            <Course values={earlier} y={y} className="lane-before" />
            <Course values={now} y={y} className={`lane-now ${line === lane.lines[0] ? "" : "is-upper"}`} />
            {worseFrom !== null && lane.ink !== null && (
              <g data-ink={lane.ink} className="lane-worse">
                <path d={areaOf(now, earlier, worseFrom, y)} className="lane-excess" />
                <Course values={now.map((value, index) => (index < worseFrom ? null : value))} y={y} className="" />
              </g>
            )}
          </g>
        );
      })}
    </svg>
  );
}

interface CourseProps {
  values: readonly (number | null)[];
  y: (value: number) => number;
  className: string;
}

/** A line through the middles of buckets, with gaps where there is nothing. A value between two gaps is a dot. */
export function Course({ values, y, className }: CourseProps) {
  const at = (value: number, index: number) => `${index + 0.5} ${round(y(value))}`;
  let line = "";
  let dots = "";
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const follows = (values[index - 1] ?? null) !== null;
    if (!follows && (values[index + 1] ?? null) === null) dots += `M${at(value, index)}h0`;
    else line += `${follows ? "L" : "M"}${at(value, index)}`;
  }
  return (
    <>
      {line !== "" && <path d={line} className={className} />}
      {dots !== "" && <path d={dots} className={`${className} is-dots`} />}
    </>
  );
}

/** The area between now and before. */
function areaOf(
  now: readonly (number | null)[],
  earlier: readonly (number | null)[],
  from: number,
  y: (value: number) => number,
): string {
  const points = now.flatMap((value, index) =>
    index < from || value === null ? [] : [{ x: index + 0.5, now: y(value), before: y(earlier[index] ?? 0) }],
  );
  if (points.length < 2) return "";
  const along = points.map(({ x, now }) => `${x} ${round(now)}`);
  const back = points.reverse().map(({ x, before }) => `${x} ${round(before)}`);
  return `M${along.join("L")}L${back.join("L")}z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
