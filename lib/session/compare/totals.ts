import { FORKED } from "../runs/run-reasons.ts";
import { addUsage, knownTokens, totalUsage, usageOfRun } from "../runs/usage.ts";
import type { Run, Usage } from "../session.ts";
import { runNumber, runsByTurn, turnsOf } from "./runs.ts";
import type { Compared, Sides } from "./sides.ts";

/** The totals of a session (C10); null if unknown because the session is too long (E8). */
export interface Totals {
  steps: number;
  messages: number;
  turns: number;
  calls: number;
  /** The number of errors: see `failures.ts`. */
  failures: number;
  /** Null where no model told how many. */
  input_tokens: number | null;
  output_tokens: number | null;
  /** The total duration of its turns, ms, including waits for people; null if no event has a time. */
  duration: number | null;
  /** The total wait for people, ms; overlaps count once. */
  waiting: number | null;
}

export function totalsOf(session: Compared, now: number): Totals {
  const { summary, usage, runs_before } = session;
  const turns = turnsOf(session);
  const total = totalUsage(usage);
  const isCut = runs_before > 0 || session.calls_before > 0;
  return {
    steps: summary.event_count,
    messages: summary.message_count,
    turns: runs_before + turns.length,
    calls: summary.call_count,
    failures: summary.failures.count,
    input_tokens: knownTokens(total, "input_tokens"),
    output_tokens: knownTokens(total, "output_tokens"),
    duration: isCut ? null : timeOf(session, turns, now),
    waiting: isCut ? null : covered(waits(session), now),
  };
}

/** The totals of a turn. */
export interface TurnTotals {
  /** The numbers of its runs in the session: in a fork also the one that continues it. */
  runs: number[];
  /** ms; null if no event has a time. */
  duration: number | null;
  /** Including its delegates. */
  usage: Usage[];
}

/**
 * The totals of each turn of two sessions, including delegates. Turns that one side no longer has are left out (E8).
 */
export function totalsByTurn(a: Compared, b: Compared, now: number): ({ number: number } & Sides<TurnTotals>)[] {
  const [ofA, ofB] = [runsByTurn(a), runsByTurn(b)];
  const gone = Math.max(a.runs_before, b.runs_before);
  const all = [...new Set([...ofA.keys(), ...ofB.keys()])].sort((one, two) => one - two);
  const numbers = all.filter((number) => number > gone || gone === 0);
  const totals = (session: Compared, runs: Run[] | undefined) => (runs ? turnTotals(session, runs, now) : null);
  return numbers.map((number) => ({ number, a: totals(a, ofA.get(number)), b: totals(b, ofB.get(number)) }));
}

function turnTotals(session: Compared, runs: readonly Run[], now: number): TurnTotals {
  return {
    runs: runs.map((run) => runNumber(session, run)),
    duration: timeOf(session, runs, now),
    usage: runs.flatMap((run) => usageOfRun(session, run)).reduce(addUsage, []),
  };
}

/** Token usage by model on each side. */
export function usageByModel(a: Compared, b: Compared): { model: string; a: Usage | null; b: Usage | null }[] {
  const models = new Set([...a.usage, ...b.usage].map(({ model }) => model));
  const of = ({ usage }: Compared, model: string) => usage.find((one) => one.model === model) ?? null;
  return [...models].map((model) => ({ model, a: of(a, model), b: of(b, model) }));
}

type Stretch = [from: string | null, to: string | null];

/** The duration of runs. A run that a fork closed ended at its last known call, not when it was forked. */
function timeOf(session: Compared, runs: readonly Run[], now: number): number | null {
  const lastKnown = (run: Run) => {
    const times = [...session.calls.values()]
      .filter((call) => call.run_id === run.id && call.reason !== FORKED)
      .flatMap(({ started_at, ended_at }) => ended_at ?? started_at ?? []);
    return times.sort().at(-1) ?? run.started_at;
  };
  return covered(
    runs.map((run) => [run.started_at, run.reason === FORKED ? lastKnown(run) : run.ended_at]),
    now,
  );
}

/** Confirmations that were pending at the fork's start were not waited for in it. */
function waits({ confirmations }: Compared): Stretch[] {
  return [...confirmations.values()].flatMap(({ requested_at, decided_at, reason }): Stretch[] =>
    reason === FORKED ? [] : [[requested_at, decided_at]],
  );
}

/** The total length of the union of time ranges; an open range ends now. */
function covered(stretches: readonly Stretch[], now: number): number | null {
  const known = stretches
    .flatMap(([from, to]) => (from === null ? [] : [[Date.parse(from), to === null ? now : Date.parse(to)] as const]))
    .sort(([one], [two]) => one - two);
  if (known.length === 0) return null;
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [from, to] of known) {
    total += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return total;
}
