import {
  type AgentWork,
  type CallSpan,
  type Lanes,
  LanesBuilder,
  type LanesStanding,
  type RunSpan,
  TRACKS,
} from "./lanes/lanes.ts";
import { agentLetters, type Buckets, Clock, type ClockStanding, endsOf } from "./levels.ts";
import { axisOfPlaces, type KnownPlace } from "./scale/axis.ts";
import { KINDS, type Marks, rankOf } from "./scale/bins.ts";
import type { TimelineRow, TimelineRows } from "./timeline.ts";

/** Rows of a part of a session, with the state at their start. */
export interface RowsPart {
  after: number;
  rows: TimelineRows;
  before: { lanes: LanesStanding; clock: ClockStanding };
}

/** The loaded parts of a session that is too long for all of its rows. */
export interface LongTimeline {
  last: number;
  /** In order, without overlaps; the last one reaches the session's end. */
  parts: readonly RowsPart[];
  /** Buckets of the whole session, and of the visible range. */
  coarse: Buckets;
  detail: Buckets | null;
  errors: number;
  /** The number of top-level runs. */
  turns: number;
}

/** A range of steps, as a bucket or as a row. */
export type Segment =
  | { from: number; to: number; row: TimelineRow }
  | { from: number; to: number; buckets: Buckets; index: number; share: number };

/** All steps of the session in order, each in the best known resolution. */
export function segmentsOf({ parts, coarse, detail }: LongTimeline): Segment[] {
  const rows = parts.map(({ after, rows: { length } }) => ({ from: after + 1, to: after + length }));
  const near = detail ? [{ from: detail.from, to: detail.to }] : [];
  const segments: Segment[] = parts.flatMap((part) => part.rows.map((row) => ({ from: row.seq, to: row.seq, row })));
  if (detail) segments.push(...bucketSegments(detail, rows));
  segments.push(...bucketSegments(coarse, [...rows, ...near]));
  return segments.sort((a, b) => a.from - b.from);
}

function bucketSegments(buckets: Buckets, better: readonly { from: number; to: number }[]): Segment[] {
  const ranges = [...better].sort((a, b) => a.from - b.from);
  return buckets.time.flatMap((_, index) => {
    const from = buckets.from + index * buckets.size;
    const to = Math.min(from + buckets.size - 1, buckets.to);
    const free: Segment[] = [];
    let next = from;
    for (const range of ranges) {
      if (range.to < next || range.from > to) continue;
      if (range.from > next) free.push({ from: next, to: range.from - 1, buckets, index, share: 0 });
      next = range.to + 1;
    }
    if (next <= to) free.push({ from: next, to, buckets, index, share: 0 });
    return free.map((one) => ({ ...one, buckets, index, share: (one.to - one.from + 1) / (to - from + 1) }));
  });
}

/** The marks of segments. */
export function marksOfSegments(segments: readonly Segment[]): Marks {
  const marks = {
    seqs: new Uint32Array(segments.length),
    ranks: new Uint8Array(segments.length),
    counts: new Float32Array(segments.length),
    telling: new Float32Array(segments.length),
  };
  for (const [i, segment] of segments.entries()) {
    marks.seqs[i] = segment.from;
    marks.counts[i] = segment.to - segment.from + 1;
    if ("row" in segment) {
      marks.ranks[i] = rankOf(segment.row);
      marks.telling[i] = 1;
      continue;
    }
    const rank = segment.buckets.kinds.findLastIndex((counts) => (counts[segment.index] ?? 0) > 0);
    marks.ranks[i] = Math.max(rank, 0);
    marks.telling[i] = (segment.buckets.kinds[rank]?.[segment.index] ?? 0) * segment.share;
  }
  return marks;
}

/** Rows with a builder that starts with the state before them. */
interface Stretch {
  from: number;
  to: number;
  builder: LanesBuilder;
  rows: TimelineRow[];
  clock: ClockStanding;
}

/** The loaded ranges of rows; the last one's builder has the numbers of lanes. */
export function stretchesOf({ parts }: LongTimeline): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { after, rows, before } of parts) {
    const open = stretches.at(-1);
    const stretch = open?.to === after ? open : null;
    const own = stretch ?? {
      ...{ from: after + 1, to: after, rows: [], clock: before.clock },
      builder: new LanesBuilder(before.lanes),
    };
    if (!stretch) stretches.push(own);
    own.builder.add(rows);
    own.rows.push(...rows);
    own.to = after + rows.length;
  }
  return stretches;
}

/** The time axis from all known positions. */
export function timeOf(segments: readonly Segment[], stretches: readonly Stretch[], last: number) {
  const places: KnownPlace[] = [];
  for (const segment of segments) {
    if ("row" in segment) continue;
    const { from, buckets, index } = segment;
    const time = buckets.time[index] ?? null;
    // The start of a bucket's remainder is unknown after a part of it was replaced.
    if (time === null || from !== buckets.from + index * buckets.size) continue;
    places.push({ seq: from, time, folds: buckets.folds[index] ?? 0, folded: buckets.folded[index] ?? 0 });
  }
  for (const { builder, rows, clock: before } of stretches) {
    const clock = new Clock(before);
    const ended = endsOf(builder.lanes);
    for (const row of rows) {
      clock.pass(row, ended.has(row.seq));
      const { newest, folds, folded } = clock.standing;
      if (newest !== null) places.push({ seq: row.seq, time: newest, folds, folded });
    }
  }
  return axisOfPlaces(
    places.sort((a, b) => a.seq - b.seq),
    last,
  );
}

/** The lanes of loaded rows, and activity where only buckets are known. */
export function lanesOf(segments: readonly Segment[], stretches: readonly Stretch[], last: number): Lanes {
  const lanes: Lanes = { user: [], agent: [], model: [], tools: [], approvals: [], byAgent: [], tracks: 0 };
  const works = new Map<string, AgentWork>();
  const workOf = (agent: string) => {
    const known = works.get(agent);
    if (known) return known;
    const work: AgentWork = { agent, lane: `agent:${agent}`, turns: [], model: [], tools: [], tracks: 1 };
    works.set(agent, work);
    lanes.byAgent.push(work);
    return work;
  };
  // The newest range has all agents, in order.
  for (const { agent, tracks } of stretches.at(-1)?.builder.lanes.byAgent ?? []) workOf(agent).tracks = tracks;
  for (const { from, to, builder } of stretches) {
    const own = builder.lanes;
    const cut = <One extends { from: number; to: number | null }>(spans: readonly One[]): One[] =>
      spans
        .map((span) => ({ ...span, from: Math.max(span.from, from), to: span.to ?? (to < last ? to : null) }))
        .filter((span) => span.to === null || span.to >= span.from);
    lanes.user.push(...own.user);
    lanes.agent.push(...cut(own.agent));
    lanes.model.push(...cut(own.model));
    lanes.tools.push(...cut(own.tools));
    lanes.approvals.push(...cut(own.approvals));
    lanes.tracks = Math.max(lanes.tracks, own.tracks);
    for (const { agent, turns, model, tools, tracks } of own.byAgent) {
      const work = workOf(agent);
      work.turns.push(...cut(turns));
      work.model.push(...cut(model));
      work.tools.push(...cut(tools));
      work.tracks = Math.max(work.tracks, tracks);
    }
  }
  for (const segment of segments) if (!("row" in segment)) addBucket(lanes, [...works.values()], segment, last);
  const byStep = (a: { from: number }, b: { from: number }) => a.from - b.from;
  lanes.user.sort((a, b) => a - b);
  for (const spans of [lanes.agent, lanes.model, lanes.tools, lanes.approvals]) spans.sort(byStep);
  for (const { turns, model, tools } of lanes.byAgent) for (const spans of [turns, model, tools]) spans.sort(byStep);
  return lanes;
}

function addBucket(
  lanes: Lanes,
  works: readonly AgentWork[],
  { from, to, buckets, index }: Extract<Segment, { buckets: Buckets }>,
  last: number,
): void {
  const span = (lane: string) => {
    const letter = buckets.lanes[lane]?.[index] ?? "-";
    return letter === "-" ? null : { from, to: Math.min(to + 1, last), failed: letter === "e", isMany: true as const };
  };
  const turn = (lane: string): RunSpan | null => {
    const many = span(lane);
    return many && { ...many, run: "", number: 1 };
  };
  const calls = (laneOf: (track: number) => string): CallSpan[] =>
    Array.from({ length: TRACKS }, (_, track) => ({ many: span(laneOf(track)), track })).flatMap(({ many, track }) =>
      // One failed call of a hundred does not mark the lane as failed: errors are visible among the events.
      many ? [{ ...many, failed: false, tool: "", track, otherInstance: false, tries: [] }] : [],
    );
  if (span("user")) lanes.user.push(from);
  const agent = turn("agent");
  if (agent) lanes.agent.push(agent);
  const model = span("model");
  if (model) lanes.model.push({ ...model, outcome: null });
  const approvals = span("approvals");
  if (approvals) lanes.approvals.push({ ...approvals, tool: "", outcome: "closed" });
  lanes.tools.push(...calls((track) => `tools:${track}`));
  for (const work of works) {
    const own = turn(agentLetters(work.agent, "turns"));
    if (own) work.turns.push({ ...own, isWithin: false });
    const asked = span(agentLetters(work.agent, "model"));
    if (asked) work.model.push({ ...asked, outcome: null });
    work.tools.push(...calls((track) => agentLetters(work.agent, `tools:${track}`)));
  }
}

/** The numbers of steps by kind, calls and errors in a range; approximate where only buckets are known. */
export function countBetween(
  segments: readonly Segment[],
  { from, to }: { from: number; to: number },
): { kinds: number[]; calls: number; errors: number; isAbout: boolean } {
  const sum = { kinds: KINDS.map(() => 0), calls: 0, errors: 0, isAbout: false };
  const add = (rank: number, count: number) => {
    sum.kinds[rank] = (sum.kinds[rank] ?? 0) + count;
  };
  for (const segment of segments) {
    if (segment.to < from || segment.from > to) continue;
    if ("row" in segment) {
      add(rankOf(segment.row), 1);
      if (segment.row.type === "call.started") sum.calls += 1;
      continue;
    }
    const { buckets, index, share } = segment;
    const covered = Math.min(segment.to, to) - Math.max(segment.from, from) + 1;
    const part = share * (covered / (segment.to - segment.from + 1));
    for (const [rank, counts] of buckets.kinds.entries()) add(rank, (counts[index] ?? 0) * part);
    sum.calls += (buckets.calls[index] ?? 0) * part;
    sum.isAbout ||= part < 1;
  }
  sum.errors = sum.kinds.at(-1) ?? 0;
  return { ...sum, kinds: sum.kinds.map(Math.round), calls: Math.round(sum.calls), errors: Math.round(sum.errors) };
}
