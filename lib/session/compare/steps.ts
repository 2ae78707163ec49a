import type { Run } from "../session.ts";
import type { TimelineRow } from "../timeline/timeline.ts";
import { align } from "./align.ts";
import { runsByTurn } from "./runs.ts";
import { type Compared, type Presence, type Sides, sharedSteps } from "./sides.ts";
import { contentOf, isOther } from "./step-content.ts";

/** A row of the comparison by steps. */
export interface StepPair extends Sides<TimelineRow> {
  standing: Presence;
}

export interface StepComparison {
  pairs: StepPair[];
  /** False if a part had too many differences to align: there, one side's steps follow the other's. */
  complete: boolean;
}

/** The input of a comparison: timeline rows, and the view at the end. */
export interface SteppedSession {
  rows: readonly TimelineRow[];
  session: Compared;
}

/**
 * Aligns all steps of two sessions by type, call and tool, not by ids and times (C10). Matching steps are `changed` if
 * their content is known to differ: a message's text, a call's parameters or result.
 */
export function compareSteps(a: SteppedSession, b: SteppedSession): StepComparison {
  const shared = sharedSteps(a.session, b.session);
  const [ofA, ofB] = [runsByTurn(a.session), runsByTurn(b.session)];
  const both = [...ofA.keys()].filter((turn) => ofB.has(turn));
  const begin = (runs: ReadonlyMap<number, Run[]>, turn: number) => (runs.get(turn)?.[0]?.started_seq ?? 1) - 1;
  const cuts = { a: both.map((turn) => begin(ofA, turn)), b: both.map((turn) => begin(ofB, turn)) };
  const { spans, complete } = align(a.rows.map(saying), b.rows.map(saying), { shared, cuts });
  const [broughtByA, broughtByB] = [contentOf(a.session, a.rows), contentOf(b.session, b.rows)];
  const pairs: StepPair[] = [];
  for (const span of spans) {
    for (let index = 0; index < span.count; index += 1) {
      const one = span.kind === "b" ? null : (a.rows[span.a + index] ?? null);
      const two = span.kind === "a" ? null : (b.rows[span.b + index] ?? null);
      const differs = one && two && isOther(broughtByA.get(one.seq), broughtByB.get(two.seq));
      pairs.push({ standing: span.kind === "same" && differs ? "changed" : span.kind, a: one, b: two });
    }
  }
  return { pairs, complete };
}

function saying({ type, call, error }: TimelineRow): string {
  const said = error ? `${type}!` : type;
  return call === null ? said : JSON.stringify([said, call.tool, call.id, call.instance, call.iteration]);
}

/** A row of the list: a step, or collapsed equal steps. */
export type StepRow =
  | { kind: "step"; pair: StepPair }
  | { kind: "fold"; id: string; count: number; a: number; b: number; open: boolean };

/** The minimum number of collapsed steps; some stay visible around each difference. */
const FOLDED = 6;
const BESIDE = 2;

/** The rows to show: long equal ranges are collapsed unless expanded. */
export function stepRows(pairs: readonly StepPair[], opened: ReadonlySet<string>): StepRow[] {
  const rows: StepRow[] = [];
  for (let from = 0; from < pairs.length; ) {
    let to = from;
    while (pairs[to]?.standing === "same") to += 1;
    if (to === from) {
      const pair = pairs[from];
      if (pair) rows.push({ kind: "step", pair });
      from += 1;
    } else {
      addSame(rows, pairs.slice(from, to), from === 0, to === pairs.length, opened);
      from = to;
    }
  }
  return rows;
}

function addSame(
  rows: StepRow[],
  same: readonly StepPair[],
  isFirst: boolean,
  isLast: boolean,
  opened: ReadonlySet<string>,
): void {
  const before = isFirst ? 0 : BESIDE;
  const after = isLast ? 0 : BESIDE;
  const inner = same.slice(before, same.length - after);
  const step = (pair: StepPair): StepRow => ({ kind: "step", pair });
  if (inner.length < FOLDED) {
    rows.push(...same.map(step));
    return;
  }
  const [a, b] = [inner[0]?.a?.seq ?? 0, inner[0]?.b?.seq ?? 0];
  const id = `${a}-${b}`;
  const open = opened.has(id);
  rows.push(...same.slice(0, before).map(step));
  rows.push({ kind: "fold", id, count: inner.length, a, b, open });
  if (open) for (const pair of inner) rows.push(step(pair));
  rows.push(...same.slice(same.length - after).map(step));
}
