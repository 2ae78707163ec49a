import { type EventKind, kindOf } from "./kinds.ts";
import type { TimelineRows } from "./timeline.ts";
import { type Projection, stepsInSight, xOf } from "./timeline-projection.ts";

/** Kinds from the least to the most telling: a bin shows the most telling of its steps. */
export const KINDS = [
  "run",
  "memory",
  "model",
  "tool",
  "state",
  "message",
  "approval",
  "error",
] as const satisfies EventKind[];

/** Steps that fall onto the same few pixels. */
export interface Bin {
  /** Left edge in pixels. */
  x: number;
  count: number;
  /** The most telling kind among them. */
  kind: EventKind;
  /** How many of them are of that kind. */
  telling: number;
  /** The first of them. */
  seq: number;
}

const RANKS = new Map<EventKind, number>(KINDS.map((kind, rank) => [kind, rank]));

/** The rank of each step's kind within `KINDS`, index = seq - 1; `known` are those of the first rows. */
export function kindRanks(rows: TimelineRows, known: Uint8Array = new Uint8Array()): Uint8Array {
  const ranks = new Uint8Array(rows.length);
  ranks.set(known);
  for (let i = known.length; i < rows.length; i += 1) {
    const row = rows[i];
    ranks[i] = (row && RANKS.get(kindOf(row))) ?? 0;
  }
  return ranks;
}

/** Gathers the steps in sight by columns of `pitch` pixels, from left to right; empty columns are left out. */
export function binSteps(projection: Projection, ranks: Uint8Array, pitch: number): Bin[] {
  const bins: Bin[] = [];
  const { from, to } = stepsInSight(projection);
  let column = Number.NEGATIVE_INFINITY;
  let top = 0;
  for (let seq = from; seq <= to; seq += 1) {
    const own = Math.floor(xOf(projection, seq) / pitch);
    const rank = ranks[seq - 1] ?? 0;
    const bin = bins.at(-1);
    if (own !== column || !bin) {
      column = own;
      top = rank;
      bins.push({ x: own * pitch, count: 1, kind: KINDS[rank] ?? "run", telling: 1, seq });
      continue;
    }
    bin.count += 1;
    if (rank === top) bin.telling += 1;
    if (rank <= top) continue;
    top = rank;
    bin.telling = 1;
    bin.kind = KINDS[rank] ?? "run";
  }
  return bins;
}
