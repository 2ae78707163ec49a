import type { Usage } from "../session.ts";
import { totalUsage } from "../usage.ts";
import { turnsOf } from "./runs.ts";
import type { Compared } from "./sides.ts";

/** What a session comes to in numbers (C10). */
export interface Totals {
  steps: number;
  messages: number;
  turns: number;
  calls: number;
  /** Calls that failed and turns that did; what the plan took up counts as well. */
  failures: number;
  input_tokens: number;
  output_tokens: number;
  /** How long its turns took in all, ms, the waiting for people included; null where no event tells the time. */
  duration: number | null;
  /** How long people were waited for, ms: what overlaps counts once. */
  waiting: number | null;
}

export function totalsOf(session: Compared, now: number): Totals {
  const { summary, usage, calls, runs_before } = session;
  const turns = turnsOf(session);
  const { input_tokens, output_tokens } = totalUsage(usage);
  const failed = [...calls.values()].filter(({ status }) => status === "failed").length;
  return {
    steps: summary.event_count,
    messages: summary.message_count,
    turns: runs_before + turns.length,
    calls: summary.call_count,
    failures: failed + turns.filter(({ status }) => status === "failed").length,
    input_tokens,
    output_tokens,
    duration: covered(
      turns.map(({ started_at, ended_at }) => [started_at, ended_at]),
      now,
    ),
    waiting: covered(waits(session), now),
  };
}

/** By model, what each side asked of it. */
export function usageByModel(a: Compared, b: Compared): { model: string; a: Usage | null; b: Usage | null }[] {
  const models = new Set([...a.usage, ...b.usage].map(({ model }) => model));
  const of = ({ usage }: Compared, model: string) => usage.find((one) => one.model === model) ?? null;
  return [...models].map((model) => ({ model, a: of(a, model), b: of(b, model) }));
}

type Stretch = [from: string | null, to: string | null];

function waits({ confirmations }: Compared): Stretch[] {
  return [...confirmations.values()].map(({ requested_at, decided_at }) => [requested_at, decided_at]);
}

/** How much time lies in any of some stretches; one that has not ended lasts until now. */
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
