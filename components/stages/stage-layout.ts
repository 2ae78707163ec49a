import type { Point } from "@/components/graph/edge/trace.ts";
import { type DialogEdge, type DialogGraph, ENDS } from "./dialog-graph.ts";
import { type Item, type Leg, layersOf } from "./layers.ts";
import { spread } from "./spread.ts";

/** All sizes are px. CSS uses the sizes computed here, so that the layout needs no DOM. */
export const SIZE = {
  node: { width: 172, height: 46 },
  end: { width: 88, height: 28 },
  pass: 20,
  /** Between neighbours in a layer. */
  gap: 24,
  /** Between a node's ports, and from the outermost one to its corner. */
  port: 22,
  corner: 16,
  /** Between layers: from a node to the first track, between tracks, and from the last track to the next node. */
  above: 14,
  track: 10,
  below: 36,
  /** The middle of a label, above the node or point at the segment's end. */
  label: 20,
  margin: 20,
} as const;

export interface PlacedStage {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedWay {
  edge: DialogEdge;
  points: Point[];
  label: Point;
}

export interface StageLayout {
  width: number;
  height: number;
  nodes: PlacedStage[];
  ways: PlacedWay[];
}

interface Placed {
  item: Item;
  /** The middle. */
  x: number;
  width: number;
}

/** Iterations of moving items to their neighbours; positions hardly change after that. */
const ROUNDS = 8;
/** Long edges have this weight, so that they stay straight. */
const STRAIGHT = 4;

/** A layered layout from top to bottom with orthogonal edges. */
export function layOutStages(graph: DialogGraph): StageLayout {
  const { layers, legs } = layersOf(graph);
  const placed = layers.map((items) => items.map((item): Placed => ({ item, x: 0, width: widthOf(item) })));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let layer = 0; layer < placed.length; layer += 1) draw(placed, legs, layer, layer - 1);
    for (let layer = placed.length - 1; layer >= 0; layer -= 1) draw(placed, legs, layer, layer + 1);
  }
  const left = Math.min(0, ...placed.flat().map(({ x, width }) => x - width / 2)) - SIZE.margin;
  const right = Math.max(0, ...placed.flat().map(({ x, width }) => x + width / 2)) + SIZE.margin;
  for (const one of placed.flat()) one.x = Math.round(one.x - left);
  const ports = portsOf(placed, legs);
  const tracks = tracksOf(legs, ports);
  const tops = topsOf(placed, legs, tracks);
  const last = placed.length - 1;
  return {
    width: Math.round(right - left),
    height: (tops[last] ?? 0) + heightOf(placed[last] ?? []) + SIZE.margin,
    nodes: placed.flatMap((row, layer) => row.flatMap((one) => placeNode(one, tops[layer] ?? 0, heightOf(row)))),
    ways: waysOf(legs, ports, tracks, tops, placed),
  };
}

function widthOf(item: Item): number {
  return item.kind === "pass" ? SIZE.pass : sizeOf(item.id).width;
}

function sizeOf(id: string): { width: number; height: number } {
  return id === ENDS.start || id === ENDS.end ? SIZE.end : SIZE.node;
}

function heightOf(row: readonly Placed[]): number {
  return Math.max(0, ...row.map(({ item }) => (item.kind === "pass" ? 0 : sizeOf(item.id).height)));
}

/** Moves the items of a layer towards their neighbours in another. */
function draw(placed: readonly Placed[][], legs: readonly Leg[], layer: number, beside: number): void {
  const row = placed[layer] ?? [];
  const others = placed[beside];
  if (!others) return;
  const wishes = row.map((one, place) => {
    const joined = legs.flatMap((leg) => {
      if (leg.layer !== Math.min(layer, beside)) return [];
      const [own, other] = layer < beside ? [leg.from, leg.to] : [leg.to, leg.from];
      return own === place ? (others[other] ?? []) : [];
    });
    // Long edges first: their targets are placed where they end.
    const passes = joined.filter(({ item }) => item.kind === "pass");
    const drawnTo = passes.length > 0 ? passes : joined;
    const at = drawnTo.length === 0 ? one.x : drawnTo.reduce((sum, { x }) => sum + x, 0) / drawnTo.length;
    return { at, weight: one.item.kind === "pass" ? STRAIGHT : 1, width: one.width };
  });
  spread(wishes, SIZE.gap).forEach((x, place) => {
    const one = row[place];
    if (one) one.x = x;
  });
}

/** The horizontal positions of each segment's ends. */
type Ports = Map<Leg, { from: number; to: number }>;

function portsOf(placed: readonly Placed[][], legs: readonly Leg[]): Ports {
  const wished = new Map(
    legs.map((leg) => {
      const [from, to] = [placed[leg.layer]?.[leg.from], placed[leg.layer + 1]?.[leg.to]];
      return [leg, from && to ? facing(from, to) : { from: 0, to: 0 }];
    }),
  );
  const ports: Ports = new Map(legs.map((leg) => [leg, { ...(wished.get(leg) ?? { from: 0, to: 0 }) }]));
  for (const side of ["from", "to"] as const) {
    for (const group of Map.groupBy(legs, (leg) => `${leg.layer} ${leg[side]}`).values()) {
      const other = side === "from" ? "to" : "from";
      const sorted = group.toSorted(
        (a, b) => at(wished, a, side) - at(wished, b, side) || at(wished, a, other) - at(wished, b, other),
      );
      const wishes = sorted.map((leg) => {
        const isStraight = at(wished, leg, "from") === at(wished, leg, "to");
        return { at: at(wished, leg, side), weight: isStraight ? STRAIGHT : 1, width: 0 };
      });
      spread(wishes, SIZE.port).forEach((x, index) => {
        const leg = sorted[index];
        const port = leg && ports.get(leg);
        if (port) port[side] = Math.round(x);
      });
    }
  }
  return ports;
}

function at(ports: Ports, leg: Leg, side: "from" | "to"): number {
  return ports.get(leg)?.[side] ?? 0;
}

/** A straight line if both ends are aligned, else with bends. */
function facing(from: Placed, to: Placed): { from: number; to: number } {
  const [a, b] = [rangeOf(from), rangeOf(to)];
  const low = Math.max(a.low, b.low);
  const high = Math.min(a.high, b.high);
  const middle = (from.x + to.x) / 2;
  if (low <= high) {
    const x = clamp(middle, low, high);
    return { from: x, to: x };
  }
  return { from: clamp(to.x, a.low, a.high), to: clamp(from.x, b.low, b.high) };
}

function rangeOf({ item, x, width }: Placed): { low: number; high: number } {
  const half = item.kind === "pass" ? 0 : width / 2 - SIZE.corner;
  return { low: x - half, high: x + half };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The track of each segment with bends: segments that would touch have different tracks. */
function tracksOf(legs: readonly Leg[], ports: Ports): Map<Leg, number> {
  const tracks = new Map<Leg, number>();
  const bent = legs.filter((leg) => at(ports, leg, "from") !== at(ports, leg, "to"));
  const reach = (leg: Leg) => [at(ports, leg, "from"), at(ports, leg, "to")].sort((a, b) => a - b);
  for (const leg of bent) {
    const [low = 0, high = 0] = reach(leg);
    const taken = new Set(
      bent.flatMap((other) => {
        const track = tracks.get(other);
        const [left = 0, right = 0] = reach(other);
        return other.layer === leg.layer && track !== undefined && left <= high && right >= low ? [track] : [];
      }),
    );
    let track = 0;
    while (taken.has(track)) track += 1;
    tracks.set(leg, track);
  }
  return tracks;
}

/** The top of each layer. */
function topsOf(placed: readonly Placed[][], legs: readonly Leg[], tracks: ReadonlyMap<Leg, number>): number[] {
  let y: number = SIZE.margin;
  return placed.map((row, layer) => {
    const top = y;
    const used = legs.flatMap((leg) => (leg.layer === layer ? [tracks.get(leg) ?? 0] : []));
    y += heightOf(row) + SIZE.above + Math.max(0, ...used) * SIZE.track + SIZE.below;
    return top;
  });
}

function placeNode({ item, x, width }: Placed, top: number, row: number): PlacedStage[] {
  if (item.kind === "pass") return [];
  const { height } = sizeOf(item.id);
  return [{ id: item.id, x: x - width / 2, y: top + (row - height) / 2, width, height }];
}

function waysOf(
  legs: readonly Leg[],
  ports: Ports,
  tracks: ReadonlyMap<Leg, number>,
  tops: readonly number[],
  placed: readonly Placed[][],
): PlacedWay[] {
  return [...Map.groupBy(legs, ({ edge }) => edge)].map(([edge, own]) => {
    const points = own.flatMap((leg) => {
      const foot = (tops[leg.layer] ?? 0) + heightOf(placed[leg.layer] ?? []);
      const track = foot + SIZE.above + (tracks.get(leg) ?? 0) * SIZE.track;
      const [from, to] = [at(ports, leg, "from"), at(ports, leg, "to")];
      const down = { x: to, y: tops[leg.layer + 1] ?? 0 };
      return [
        { x: from, y: foot },
        ...(from === to
          ? []
          : [
              { x: from, y: track },
              { x: to, y: track },
            ]),
        down,
      ];
    });
    const [first] = own;
    const label = first ? { x: at(ports, first, "to"), y: (tops[first.layer + 1] ?? 0) - SIZE.label } : { x: 0, y: 0 };
    return { edge, points, label };
  });
}
