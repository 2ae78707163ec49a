import { type EventKind, kindOf } from "../../events/kinds.ts";
import type { TimelineRow, TimelineRows } from "../timeline.ts";
import { type Projection, stepsInSight, xOf } from "./projection.ts";

/** Kinds by increasing priority: a bin shows the kind with the highest. */
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

/** Steps that share a few pixels. */
export interface Bin {
  /** Left edge in pixels. */
  x: number;
  count: number;
  /** The kind with the highest priority. */
  kind: EventKind;
  /** The number of steps of that kind. */
  telling: number;
  /** The first of them. */
  seq: number;
}

/** What is drawn for steps or buckets. */
export interface Marks {
  /** The first step of each bucket; null if each entry is one step, index = seq - 1. */
  seqs: Uint32Array | null;
  /** The highest index in `KINDS`. */
  ranks: Uint8Array;
  /** The number of steps, and of those of that kind; null if each entry is one step. */
  counts: Float32Array | null;
  telling: Float32Array | null;
}

const RANKS = new Map<EventKind, number>(KINDS.map((kind, rank) => [kind, rank]));

/** The index of each step's kind in `KINDS`, index = seq - 1; `known` are those of the first rows. */
export function kindRanks(rows: TimelineRows, known: Uint8Array = new Uint8Array()): Uint8Array {
  const ranks = new Uint8Array(rows.length);
  ranks.set(known);
  for (let i = known.length; i < rows.length; i += 1) {
    const row = rows[i];
    ranks[i] = row ? rankOf(row) : 0;
  }
  return ranks;
}

/** The index of a step's kind in `KINDS`. */
export function rankOf(row: TimelineRow): number {
  return RANKS.get(kindOf(row)) ?? 0;
}

/**
 * Groups visible steps by columns of `pitch` pixels, from left to right; empty columns are left out. Steps of buckets
 * are spread over the bucket's columns.
 */
export function binSteps(projection: Projection, marks: Marks, pitch: number): Bin[] {
  const bins: Bin[] = [];
  let column = Number.NEGATIVE_INFINITY;
  let top = 0;
  const add = (
    own: number,
    { rank, count, telling, seq }: { rank: number; count: number; telling: number; seq: number },
  ) => {
    const bin = bins.at(-1);
    if (own !== column || !bin) {
      column = own;
      top = rank;
      bins.push({ x: own * pitch, count, kind: KINDS[rank] ?? "run", telling, seq });
      return;
    }
    bin.count += count;
    if (rank === top) bin.telling += telling;
    if (rank <= top) return;
    top = rank;
    bin.telling = telling;
    bin.kind = KINDS[rank] ?? "run";
  };
  const { first, end } = marksInSight(projection, marks);
  for (let i = first; i < end; i += 1) {
    const seq = marks.seqs?.[i] ?? i + 1;
    const mark = { seq, rank: marks.ranks[i] ?? 0, count: marks.counts?.[i] ?? 1, telling: marks.telling?.[i] ?? 1 };
    const own = Math.floor(xOf(projection, seq) / pitch);
    const next =
      mark.count > 1 ? Math.floor(xOf(projection, marks.seqs?.[i + 1] ?? projection.axis.last) / pitch) : own;
    const columns = Math.max(next - own, 1);
    if (columns === 1) add(own, mark);
    else {
      const part = { ...mark, count: mark.count / columns, telling: mark.telling / columns };
      const last = Math.min(next, Math.ceil(projection.width / pitch));
      for (let one = Math.max(own, 0); one < last; one += 1) add(one, part);
    }
  }
  return bins;
}

/** Whether some visible steps are only known as buckets. */
export function hasBuckets(projection: Projection, marks: Marks): boolean {
  const { first, end } = marksInSight(projection, marks);
  return marks.counts?.subarray(first, end).some((count) => count > 1) ?? false;
}

function marksInSight(projection: Projection, { seqs }: Marks): { first: number; end: number } {
  const { from, to } = stepsInSight(projection);
  if (!seqs) return { first: from - 1, end: to };
  const begin = seqs.findLastIndex((seq) => seq <= Math.max(from, 1));
  const after = seqs.findIndex((seq) => seq > to);
  return { first: Math.max(begin, 0), end: after === -1 ? seqs.length : after };
}
