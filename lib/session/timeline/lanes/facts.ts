import type { TimelineModel } from "../model.ts";
import type { LaneTotals } from "./lanes.ts";
import type { OptionalLane } from "./layout.ts";

/** The numbers of a lane. */
interface LaneFacts {
  /** The number of its messages, turns, answers, calls or confirmations. */
  count: number;
  /** The number that ended with an error. */
  failed: number;
  /** The total duration, ms; overlaps count once. Null without times. */
  busyMs: number | null;
  /** Its first step, and its last end; null while something is active. */
  first: number;
  last: number | null;
}

interface Bar {
  from: number;
  to: number | null;
  failed?: boolean;
}

/** Sums up a lane; an open confirmation has lasted until `now`, all else until the newest step. */
export function laneFacts({ lanes, rows, long }: TimelineModel, lane: OptionalLane, now: number): LaneFacts {
  if (long) return factsOfTotals(long.totals(lane), lane, lane === "approvals" ? now : (rows.at(-1)?.time ?? null));
  const bars = barsOf(lanes, lane);
  const timeOf = (seq: number) => rows[seq - 1]?.time ?? null;
  const facts: LaneFacts = { count: bars.length, failed: 0, busyMs: lane === "user" ? null : 0, first: 0, last: 0 };
  facts.first = bars[0]?.from ?? 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const bar of bars) {
    if (bar.failed && bar.to !== null && rows[bar.to - 1]?.error) facts.failed += 1;
    facts.last = facts.last === null || bar.to === null ? null : Math.max(facts.last, bar.to);
    const isAwaited = bar.to === null && lane === "approvals";
    const [from, to] = [timeOf(bar.from), isAwaited ? now : timeOf(bar.to ?? rows.length)];
    if (facts.busyMs === null || from === null || to === null) {
      facts.busyMs = null;
      continue;
    }
    facts.busyMs += Math.max(to - Math.max(from, until), 0);
    until = Math.max(until, to);
  }
  return facts;
}

function factsOfTotals(totals: LaneTotals, lane: OptionalLane, now: number | null): LaneFacts {
  const { count, failed, first, last, open, busyMs, since } = totals;
  const still = open > 0 && since !== null && now !== null ? Math.max(now - since, 0) : 0;
  const isTimed = lane !== "user" && busyMs !== null;
  return { count, failed, busyMs: isTimed ? busyMs + still : null, first, last: open > 0 ? null : last };
}

function barsOf(lanes: TimelineModel["lanes"], lane: OptionalLane): readonly Bar[] {
  switch (lane) {
    case "user":
      return lanes.user.map((seq) => ({ from: seq, to: seq }));
    case "agent":
    case "model":
    case "tools":
    case "approvals":
      return lanes[lane];
    default:
      return lanes.byAgent.find((work) => work.lane === lane)?.turns ?? [];
  }
}
