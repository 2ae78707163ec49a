import { type Cost, costOf, type Prices } from "../session/prices.ts";
import type { Taken } from "./case.ts";
import { caseResult } from "./result.ts";
import type { FirstDifference, TryBrief } from "./try-result.ts";
import { paidTokensOf, tokensOf } from "./try-result.ts";
import { changeOf, type Share, type Verdict, wilson } from "./verdict.ts";

/** A try, with its number from 1. */
export interface NumberedTry extends TryBrief {
  number: number;
}

/** What tries took on average: money by currency, tokens, and ms. Null where it is not known. */
export interface MeanTaken {
  cost: Cost[] | null;
  tokens: number | null;
  duration: number | null;
}

/** A case in a run. */
export interface ReportedCase {
  id: string;
  title: string;
  tags: string[];
  conversation_id: string;
  /** Null while tries are missing. */
  verdict: Verdict | null;
  /** The share of passed tries. */
  passed: Share;
  tries: NumberedTry[];
  first: FirstDifference | null;
  /** Calls in all tries, and how many of them the same recorded call answered. */
  calls: number;
  recorded: number;
  taken: MeanTaken;
}

/** What came of a run so far. */
export interface RunReport {
  cases: ReportedCase[];
  counts: Record<Verdict, number>;
  /** The share of passed cases. Flaky ones did not pass. */
  passed: Share;
  answered: TryBrief["answered"];
  /** Of all tries together, with their judges. */
  cost: Cost[] | null;
  tokens: number | null;
}

/** The cases of a run that have a verdict in both, compared with those of an earlier one. */
export interface RunComparison {
  /** Cases in both. */
  cases: number;
  before: Share;
  after: Share;
  /** The change of the share of passed cases, with its interval. */
  change: Share;
}

interface Case {
  id: string;
  title: string;
  tags: string[];
  conversation_id: string;
}

/** Adds up the tries of a run, by case: failed ones first, then flaky, then passed, then those without a verdict. */
export function runReport(
  { tries: wanted, isOpen }: { tries: number; isOpen: boolean },
  cases: readonly Case[],
  tries: ReadonlyMap<string, NumberedTry[]>,
  prices: Prices,
): RunReport {
  const all = cases.flatMap((one): ReportedCase[] => {
    const done = tries.get(one.id) ?? [];
    if (done.length === 0 && !isOpen) return [];
    const { verdict, passed, first } = caseResult(one, done);
    const answered = sumOf(done.map((each) => each.answered));
    return [
      {
        ...one,
        verdict: done.length === wanted || (!isOpen && done.length > 0) ? verdict : null,
        ...{ passed, tries: done, first },
        calls: answered.reduce((sum, { calls }) => sum + calls, 0),
        recorded: answered.reduce((sum, { recorded }) => sum + recorded, 0),
        taken: meanOf(
          done.map(({ taken }) => taken),
          prices,
        ),
      },
    ];
  });
  const counts: RunReport["counts"] = { passed: 0, failed: 0, flaky: 0 };
  for (const { verdict } of all) if (verdict) counts[verdict] += 1;
  const done = all.flatMap((one) => one.tries);
  const tokens = done.map(paidTokensOf);
  return {
    cases: all.toSorted((one, other) => placeOf(one) - placeOf(other)),
    counts,
    passed: wilson(counts.passed, counts.passed + counts.failed + counts.flaky),
    answered: sumOf(done.map(({ answered }) => answered)),
    cost: costOf(
      done.flatMap(({ taken, judged }) => [...taken.usage, ...judged]),
      prices,
    ),
    tokens: tokens.includes(null) ? null : tokens.reduce<number>((sum, one) => sum + (one ?? 0), 0),
  };
}

/** Compares the cases that both runs have. Null: none. */
export function compareRuns(before: RunReport, after: RunReport): RunComparison | null {
  const known = new Map(before.cases.map((one) => [one.id, one.verdict]));
  const both = after.cases.filter(({ id, verdict }) => verdict !== null && (known.get(id) ?? null) !== null);
  if (both.length === 0) return null;
  const was = wilson(both.filter(({ id }) => known.get(id) === "passed").length, both.length);
  const is = wilson(both.filter(({ verdict }) => verdict === "passed").length, both.length);
  return { cases: both.length, before: was, after: is, change: changeOf(was, is) };
}

const ORDER = ["failed", "flaky", "passed", null];

function placeOf({ verdict }: ReportedCase): number {
  return ORDER.indexOf(verdict);
}

function meanOf(all: readonly Taken[], prices: Prices): MeanTaken {
  const [tokens, durations] = [all.map(tokensOf), all.map(({ duration }) => duration)];
  const total = costOf(
    all.flatMap(({ usage }) => usage),
    prices,
  );
  return {
    cost:
      total === null || total.length === 0
        ? null
        : total.map(({ currency, amount }) => ({ currency, amount: amount / all.length })),
    tokens: mean(tokens),
    duration: mean(durations),
  };
}

function mean(values: readonly (number | null)[]): number | null {
  if (values.length === 0 || values.includes(null)) return null;
  return values.reduce<number>((sum, one) => sum + (one ?? 0), 0) / values.length;
}

function sumOf(all: readonly TryBrief["answered"][]): TryBrief["answered"] {
  const tools = new Map<string, TryBrief["answered"][number]>();
  for (const { tool, calls, recorded, nearest, stub } of all.flat()) {
    const known = tools.get(tool) ?? { tool, calls: 0, recorded: 0, nearest: 0, stub: 0 };
    tools.set(tool, {
      tool,
      calls: known.calls + calls,
      recorded: known.recorded + recorded,
      nearest: known.nearest + nearest,
      stub: known.stub + stub,
    });
  }
  return [...tools.values()].sort((one, other) => one.tool.localeCompare(other.tool));
}
